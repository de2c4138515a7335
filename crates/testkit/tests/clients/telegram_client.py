"""Speaks to a fake Bot API server through the official `python-telegram-bot` package.

Usage: telegram_client.py BASE_URL TOKEN. Prints one line of JSON per check; the test reads them. The test
plays the people: it writes when it hears `ready`.
"""

import asyncio
import io
import json
import sys

from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllGroupChats,
    BotCommandScopeChat,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaDocument,
    InputMediaPhoto,
    InputMediaVideo,
    ReplyParameters,
)
from telegram.error import BadRequest, Conflict, Forbidden, InvalidToken, NetworkError, RetryAfter, TelegramError
from telegram.ext import Application, CallbackQueryHandler, MessageHandler, filters

base, token = sys.argv[1], sys.argv[2]
PERSON = 7
PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489")


def tell(check, **facts):
    print(json.dumps({"check": check, **facts}), flush=True)


def bot(key=token):
    return Bot(key, base_url=f"{base}/bot", base_file_url=f"{base}/file/bot")


async def refused(check, wish):
    try:
        await wish
        tell(check, kind=None)
    except TelegramError as error:
        facts = {"kind": type(error).__name__, "words": error.message}
        if isinstance(error, RetryAfter):
            facts["after"] = int(error._retry_after.total_seconds())
        tell(check, **facts)


async def sends(tg):
    sent = await tg.send_message(PERSON, "plain")
    tell("sent", id=sent.message_id, text=sent.text, chat=sent.chat.type, mine=sent.from_user.is_bot)
    marked = await tg.send_message(PERSON, "*bold* \\.", parse_mode="MarkdownV2")
    tell("marked", text=marked.text, kinds=[entity.type for entity in marked.entities])
    keys = InlineKeyboardMarkup([[InlineKeyboardButton("Yes", callback_data="yes")]])
    asked = await tg.send_message(
        PERSON, "sure?", reply_markup=keys, reply_parameters=ReplyParameters(sent.message_id)
    )
    tell(
        "asked",
        answers=asked.reply_to_message.message_id,
        button=asked.reply_markup.inline_keyboard[0][0].callback_data,
    )
    edited = await tg.edit_message_text("changed", PERSON, sent.message_id)
    tell("edited", text=edited.text, when=edited.edit_date is not None)
    await refused("same", tg.edit_message_text("changed", PERSON, sent.message_id))
    await refused("gone", tg.edit_message_text("x", PERSON, 9999))
    await refused("long", tg.send_message(PERSON, "x" * 4097))
    await refused("entities", tg.send_message(PERSON, "a_b", parse_mode="MarkdownV2"))
    await refused("stranger", tg.send_message(12345, "x"))
    await refused("blocked", tg.send_message(66, "x"))
    await refused("moved", tg.send_message(-5, "x"))
    await refused("flood", tg.send_message(PERSON, "flood"))
    await refused("broken", tg.send_message(PERSON, "broken"))
    await refused("half", tg.send_message(PERSON, "half"))
    tell("typing", done=await tg.send_chat_action(PERSON, "typing"))
    tell("reaction", done=await tg.set_message_reaction(PERSON, sent.message_id, "👍"))
    await tg.set_my_commands([BotCommand("help", "What there is")])
    tell("commands", names=[one.command for one in await tg.get_my_commands()])
    groups = BotCommandScopeAllGroupChats()
    await tg.set_my_commands([BotCommand("stop", "End it")], scope=groups)
    own = BotCommandScopeChat(PERSON)
    await tg.set_my_commands([BotCommand("restart", "Begin anew")], scope=own)
    tell("menus", names=[[one.command for one in await tg.get_my_commands(scope)] for scope in (None, groups, own)])
    await tg.delete_my_commands(scope=own)
    tell("menu gone", names=[one.command for one in await tg.get_my_commands(own)])
    tell("deleted", done=await tg.delete_message(PERSON, asked.message_id))
    return keys


async def files(tg):
    sent = await tg.send_document(PERSON, io.BytesIO(b"some bytes"), filename="a.txt", caption="here")
    tell("document", name=sent.document.file_name, size=sent.document.file_size, caption=sent.caption)
    file = await tg.get_file(sent.document.file_id)
    tell("fetched", bytes=bytes(await file.download_as_bytearray()).decode())
    photo = await tg.send_photo(PERSON, io.BytesIO(PNG))
    tell("photo", sizes=len(photo.photo))
    await refused("no picture", tg.send_photo(PERSON, io.BytesIO(b"no picture")))
    await refused("big picture", tg.send_photo(PERSON, io.BytesIO(PNG + b"x" * 10485760)))
    audio = await tg.send_audio(PERSON, io.BytesIO(b"no sound"), filename="a.mp3")
    tell("audio", name=audio.audio.file_name)
    video = await tg.send_video(PERSON, io.BytesIO(b"no film"), filename="a.mp4")
    tell("video", name=video.video.file_name)
    moving = await tg.send_animation(PERSON, io.BytesIO(b"no film"), filename="a.gif")
    tell("animation", name=moving.animation.file_name)
    album = await tg.send_media_group(PERSON, [InputMediaPhoto(io.BytesIO(PNG)), InputMediaVideo(io.BytesIO(b"no film"))])
    tell("pictures", count=len(album), one=len({message.media_group_id for message in album}))
    await refused("lone album", tg.send_media_group(PERSON, [InputMediaPhoto(io.BytesIO(PNG))]))
    voice = await tg.send_voice(PERSON, io.BytesIO(b"no voice"))
    tell("voice", seconds=int(voice.voice._duration.total_seconds()))
    album = await tg.send_media_group(
        PERSON, [InputMediaDocument(io.BytesIO(b"1"), filename="1"), InputMediaDocument(io.BytesIO(b"2"), filename="2")]
    )
    tell("album", count=len(album), one=len({message.media_group_id for message in album}))
    topic = await tg.create_forum_topic(-1007, "News")
    sent = await tg.send_message(-1007, "in it", message_thread_id=topic.message_thread_id)
    tell("topic", thread=sent.message_thread_id == topic.message_thread_id, is_topic=sent.is_topic_message)
    await refused("no topic", tg.send_message(-1007, "x", message_thread_id=4711))


async def polls(keys):
    heard = asyncio.Queue()
    app = Application.builder().bot(bot()).build()

    async def message(update, context):
        words = update.effective_message
        await heard.put({"text": words.text, "who": words.from_user.first_name, "edit": update.edited_message is not None})
        if words.text == "ask me":
            await words.reply_text("pick", reply_markup=keys)

    async def pressed(update, context):
        await update.callback_query.answer("thanks")
        await update.callback_query.edit_message_text("picked " + update.callback_query.data)
        await heard.put({"pressed": update.callback_query.data})

    app.add_handler(MessageHandler(filters.TEXT, message))
    app.add_handler(CallbackQueryHandler(pressed))
    await app.initialize()
    await app.start()
    await app.updater.start_polling(timeout=5)
    tell("ready")
    said = [await asyncio.wait_for(heard.get(), 20) for _ in range(4)]
    tell("heard", said=said)
    await app.updater.stop()
    await app.stop()
    await app.shutdown()


async def hooks(tg):
    await tg.set_webhook("http://127.0.0.1:9/nobody", secret_token="abc-1")
    info = await tg.get_webhook_info()
    tell("webhook", url=info.url, waiting=info.pending_update_count)
    await refused("both", tg.get_updates())
    await tg.delete_webhook()
    tell("no webhook", url=(await tg.get_webhook_info()).url)
    first = asyncio.ensure_future(tg.get_updates(timeout=20))
    async with bot() as other:
        while not first.done():
            await other.get_updates(timeout=0)
    await refused("two", first)


async def main():
    async with bot() as tg:
        me = await tg.get_me()
        tell("me", id=me.id, name=me.username, is_bot=me.is_bot)
        keys = await sends(tg)
        await files(tg)
        await polls(keys)
        await hooks(tg)
    try:
        async with bot("4242:AAwrongwrongwrongwrongwrongwrongwron") as stranger:
            await stranger.get_me()
    except InvalidToken as error:
        tell("token", kind=type(error).__name__)


asyncio.run(main())
