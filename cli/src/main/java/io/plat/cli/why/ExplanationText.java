package io.plat.cli.why;

import io.plat.cli.output.Colour;
import io.plat.cli.output.Report;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.Suggestion;
import io.plat.review.source.Quoted;
import java.util.List;

/** An explanation for people. */
final class ExplanationText {
    /** More is for programs. */
    private static final int NEAREST = 3;

    private final Report report;

    ExplanationText(Report report) {
        this.report = report;
    }

    /**
     * Prints it.
     *
     * @param question the user and the access, in words
     */
    void print(String question, Explanation explanation) {
        String reason = Quoted.shortLine(explanation.reason());
        String verdict = explanation.allowed() ? report.paint(Colour.GREEN, "yes") : report.paint(Colour.RED, "no");
        report.print(verdict + (reason.isEmpty() ? "" : " - " + reason));
        report.print("request: " + question);
        Findings findings = explanation.findings();
        if (explanation.allowed()) {
            report.print("granted by:");
            findings.grants().items().forEach(grant -> grant(grant, ""));
            more(findings.grants().leftOut());
        } else {
            nearest(findings);
        }
    }

    private void nearest(Findings findings) {
        if (findings.nearMisses().items().isEmpty()) {
            report.print(findings.unexplained().isEmpty() ? "no rule almost matches" : "no known rule almost matches");
        } else {
            report.print("nearest:");
        }
        List<NearMiss> misses = findings.nearMisses().items();
        for (NearMiss miss : misses.subList(0, Math.min(misses.size(), NEAREST))) {
            String lacks = String.join(
                    ", ", miss.lacks().stream().map(Quoted::shortLine).toList());
            grant(miss.grant(), "  (another " + lacks + ")");
        }
        more(Math.max(0, misses.size() - NEAREST) + findings.nearMisses().leftOut());
        Suggestion suggestion = findings.suggestion();
        if (suggestion != null) {
            report.print(
                    suggestion.text().isEmpty()
                            ? "no grant is suggested: " + Quoted.shortLine(suggestion.note())
                            : "add --suggest for the smallest grant that would allow it ("
                                    + Quoted.shortLine(suggestion.authorizer()) + ")");
        }
    }

    private void grant(NamedGrant grant, String note) {
        report.print("  " + Quoted.shortLine(grant.authorizer()) + ": " + Quoted.shortLine(grant.source()) + note);
        report.print("    " + Quoted.shortLine(grant.rule()));
    }

    private void more(long leftOut) {
        if (leftOut > 0) {
            report.print("  and " + leftOut + " more");
        }
    }
}
