# Ends the command and everybody it started, whether or not somebody still holds it.

ladder "$grace"
# A holder that lives will see the end; one that was about to start its command is met again.
rounds=0
while [ ! -e "$folder/exit" ] && lives "$folder/pid" && [ "$rounds" -lt 50 ]; do
    nap 0.1
    ladder 0
    rounds=$((rounds + 1))
done
if [ -z "$(members)" ]; then
    [ "$remains" = kept ] || rm -rf "$folder"
    say gone
else
    say left
fi
exit 0
