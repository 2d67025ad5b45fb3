package io.plat.engine.webhook;

import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.explain.Explainer;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Findings;
import io.plat.review.explain.ListedSubject;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.NearMiss;
import io.plat.review.explain.RuleListing;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.Suggestion;
import io.plat.review.explain.UnexplainedAuthorizer;
import io.plat.review.source.Quoted;
import java.util.List;
import java.util.function.Function;

/**
 * Conversion of a remote decider's grants: under the name of the mode, with the decider's address as the source.
 *
 * @param decider its address, without secrets
 */
record RemoteFindings(String decider) {
    /** Maximum number of reported attributes of a near miss; a request has fewer. */
    private static final int MAX_LACKS = 16;

    private static final int MAX_TEXT = 64 << 10;

    Findings of(Findings remote) {
        return new Findings(
                grants(remote.grants()),
                map(remote.nearMisses(), Explainer.MAX_NEAR_MISSES, this::nearMiss),
                remote.suggestion() == null ? null : suggestion(remote.suggestion()),
                members(remote.unexplained()));
    }

    SubjectListing of(SubjectListing remote) {
        return new SubjectListing(
                map(
                        remote.subjects(),
                        Explainer.MAX_SUBJECTS,
                        subject -> new ListedSubject(subject.subject(), grants(subject.through()))),
                members(remote.unexplained()));
    }

    /** Returns a decision that the decider does not explain. */
    ExplainedDecision unexplained(Decision decision, String reason) {
        return ExplainedDecision.unexplained(decision, member(reason));
    }

    /** Returns an incomplete listing, as the decider does not list subjects. */
    SubjectListing unlisted(String reason) {
        return SubjectListing.unknown(member(reason));
    }

    /** Returns the rules of a remote policy, whose names are valid here too. */
    RuleListing of(RuleListing remote) {
        return new RuleListing(
                BoundedList.of(remote.resources().items(), Explainer.MAX_RULES),
                BoundedList.of(remote.paths().items(), Explainer.MAX_RULES),
                remote.unexplained().stream()
                        .map(one -> member(Quoted.shortLine(one.reason())))
                        .toList());
    }

    /** Returns an empty listing, as the decider does not enumerate a user's rules. */
    RuleListing noRules(String reason) {
        return RuleListing.unknown(member("the webhook cannot enumerate rules: " + reason));
    }

    private UnexplainedAuthorizer member(String reason) {
        return new UnexplainedAuthorizer(WebhookAuthorizer.MODE, decider + ": " + reason);
    }

    private List<UnexplainedAuthorizer> members(List<UnexplainedAuthorizer> remote) {
        return remote.stream()
                .limit(Explainer.MAX_GRANTS)
                .map(one -> member(Quoted.shortLine(one.authorizer()) + ": " + Quoted.shortLine(one.reason())))
                .toList();
    }

    private BoundedList<NamedGrant> grants(BoundedList<NamedGrant> remote) {
        return map(remote, Explainer.MAX_GRANTS, this::grant);
    }

    private NamedGrant grant(NamedGrant remote) {
        return new NamedGrant(
                WebhookAuthorizer.MODE,
                decider + ": " + Quoted.shortLine(remote.authorizer()) + " " + Quoted.shortLine(remote.source()),
                Quoted.oneLine(remote.rule()));
    }

    private NearMiss nearMiss(NearMiss remote) {
        return new NearMiss(
                grant(remote.grant()),
                remote.lacks().stream().limit(MAX_LACKS).map(Quoted::shortLine).toList());
    }

    private Suggestion suggestion(Suggestion remote) {
        String mode = remote.authorizer().isEmpty() ? "" : "mode " + Quoted.shortLine(remote.authorizer()) + " of ";
        String note = "for " + mode + decider + (remote.note().isEmpty() ? "" : ": " + Quoted.shortLine(remote.note()));
        return isText(remote.text())
                ? new Suggestion(WebhookAuthorizer.MODE, remote.text(), note)
                : Suggestion.none(WebhookAuthorizer.MODE, note);
    }

    /** Returns whether a line is printable on terminals and in files. */
    private static boolean isText(String text) {
        return text.length() <= MAX_TEXT
                && text.indexOf('\r') < 0
                && text.lines().allMatch(line -> line.strip().equals(Quoted.oneLine(line)));
    }

    private static <A, B> BoundedList<B> map(BoundedList<A> remote, int max, Function<? super A, B> each) {
        BoundedList<A> reported = BoundedList.of(remote.items(), max);
        return new BoundedList<>(reported.items().stream().map(each).toList(), reported.leftOut() + remote.leftOut());
    }
}
