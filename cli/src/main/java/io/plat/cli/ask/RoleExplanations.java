package io.plat.cli.ask;

import io.plat.cli.CommandException;
import io.plat.cli.server.HttpsConnection;
import io.plat.engine.Authorizer;
import io.plat.engine.explain.Explained;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.explain.Bounded;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.Unexplained;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Explains by the role objects of a server what the server itself decides. Whether something is allowed is the server's answer, where it
 * gives one; where the role objects say otherwise, that is said too.
 */
final class RoleExplanations implements Explanations {
    private final HttpsConnection server;
    private final RbacAuthorizer roles;
    private final List<Unexplained> unseen;

    RoleExplanations(HttpsConnection server, ServedRoles served) {
        this.server = server;
        this.roles = RbacAuthorizer.of(RbacIndex.of(served.policy()), "");
        this.unseen = served.unseen();
    }

    @Override
    public Told<Explanation> explain(AccessReview asked) {
        Explained byRoles = roles.explain(new Attributes(Objects.requireNonNull(asked.user()), asked.access()));
        boolean granted = !byRoles.findings().grants().items().isEmpty();
        List<Unexplained> unexplained = new ArrayList<>(unseen);
        boolean allowed = granted;
        String reason = byRoles.decision().reason();
        NamedGrant hidden = new NamedGrant("unknown", server.server().toString(), "can't be seen");
        try {
            ReviewStatus decided = decided(asked);
            allowed = decided.allowed();
            reason = decided.reason();
            hidden = new NamedGrant("unknown", server.server().toString(), reason.isEmpty() ? "can't be seen" : reason);
        } catch (CommandException refused) {
            unexplained.add(new Unexplained(
                    "the server",
                    "it does not tell its own decision, so that the role objects alone count: "
                            + refused.getMessage()));
        }
        if (granted && !allowed) {
            unexplained.add(
                    new Unexplained(
                            "the server",
                            "its role objects grant this, and yet it is not allowed: something refuses it before they are asked"));
        }
        return PolicyExplanations.told(
                asked, new Explanation(allowed, reason, findings(byRoles.findings(), allowed, hidden, unexplained)));
    }

    private static Findings findings(
            Findings found, boolean allowed, NamedGrant hidden, List<Unexplained> unexplained) {
        if (!allowed) {
            return new Findings(Bounded.none(), found.nearMisses(), found.suggestion(), unexplained);
        }
        Bounded<NamedGrant> grants =
                found.grants().items().isEmpty() ? new Bounded<>(List.of(hidden), 0) : found.grants();
        return new Findings(grants, Bounded.none(), null, unexplained);
    }

    private ReviewStatus decided(AccessReview asked) {
        return new ServerOracle(server)
                .ask(new AccessReview(ReviewKind.SUBJECT_ACCESS_REVIEW, asked.version(), asked.user(), asked.access()))
                .status();
    }

    @Override
    public Told<SubjectListing> subjects(AccessReview asked) {
        SubjectListing listing = roles.subjects(asked.access());
        return PolicyExplanations.told(asked, new SubjectListing(listing.subjects(), unseen));
    }

    @Override
    public Optional<Authorizer> engine() {
        return Optional.of(roles);
    }
}
