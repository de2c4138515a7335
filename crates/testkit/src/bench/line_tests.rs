use super::*;

fn line(target: Target, figures: &[f64]) -> Line {
    Line {
        name: "some",
        words: "a figure".to_owned(),
        unit: Unit::Ratio,
        target,
        figures: figures.to_vec(),
    }
}

#[test]
fn the_median_counts_and_not_the_worst_round() {
    assert_eq!(line(Target::AtMost(1.5), &[1.0, 9.0, 1.2]).verdict(), "ok");
    assert_eq!(
        line(Target::AtMost(1.5), &[1.0, 9.0, 1.6]).verdict(),
        "MISS"
    );
    assert_eq!(line(Target::AtLeast(0.6), &[0.5, 0.7, 0.8]).verdict(), "ok");
}

#[test]
fn a_line_without_figures_misses_its_target() {
    assert_eq!(line(Target::AtMost(1.5), &[]).verdict(), "MISS");
}

#[test]
fn one_miss_fails_the_run() {
    let lines = [
        line(Target::Told, &[7.0]),
        line(Target::AtMost(1.0), &[2.0]),
    ];
    assert_eq!(print(&lines[..1], Form::Json), ExitCode::SUCCESS);
    assert_eq!(print(&lines, Form::People), ExitCode::FAILURE);
}
