package io.plat.cli.why;

import io.plat.cli.output.Report;
import io.plat.engine.webhook.OneLine;
import io.plat.review.explain.Unexplained;
import java.util.List;

/** Says what could not be looked through, so that a part is not taken for the whole. */
public final class Unseen {
    private Unseen() {}

    /** A warning for each. */
    public static void warn(Report report, List<Unexplained> members) {
        members.forEach(member ->
                report.warn(OneLine.of(member.authorizer()) + " is not fully known: " + OneLine.of(member.reason())));
    }
}
