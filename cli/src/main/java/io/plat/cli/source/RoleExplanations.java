package io.plat.cli.source;

import io.plat.cli.policy.ServerRoles;
import io.plat.cli.process.CommandException;
import io.plat.cli.server.CurrentUser;
import io.plat.cli.server.DecodedResponse;
import io.plat.cli.server.HttpsConnection;
import io.plat.engine.Authorizer;
import io.plat.engine.explain.ExplainedDecision;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.index.RbacIndex;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ReviewStatus;
import io.plat.review.UserInfo;
import io.plat.review.explain.BoundedList;
import io.plat.review.explain.Explanation;
import io.plat.review.explain.Findings;
import io.plat.review.explain.NamedGrant;
import io.plat.review.explain.SubjectListing;
import io.plat.review.explain.UnexplainedAuthorizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Explanations of a server's decisions by its role objects. The decision is the server's, if it sends one; a contradiction by the role objects
 * is reported too.
 */
final class RoleExplanations {
    private final ServerSource server;
    private final RbacAuthorizer roles;
    private final List<UnexplainedAuthorizer> unseen;
    private final String hidden;
    private final String why;

    /**
     * Creates explanations from a server's role objects.
     *
     * @param why the server's response instead of an explanation
     */
    RoleExplanations(ServerSource server, ServedRoles served, String why) {
        this.server = server;
        this.roles = RbacAuthorizer.of(RbacIndex.of(served.policy()), "");
        this.unseen = served.unseen();
        this.hidden = served.hidden();
        this.why = why;
    }

    DecodedResponse<Explanation> explain(AccessReview requested) {
        return hidden.isEmpty() ? byRoles(requested) : unexplained(requested);
    }

    /** Without role objects, the decision and the server's reason remain. */
    private DecodedResponse<Explanation> unexplained(AccessReview requested) {
        ReviewStatus decided;
        try {
            decided = decided(requested);
        } catch (CommandException refused) {
            throw nothingSeen();
        }
        List<UnexplainedAuthorizer> result = List.of(
                new UnexplainedAuthorizer(
                        "the server",
                        "it shows you neither explanations nor role objects: needs create on "
                                + "accessexplanations.authorization.k8s.io, or list on its role objects; -v shows its answers"));
        return PolicyFileSource.encoded(
                requested,
                new Explanation(
                        decided.allowed(),
                        decided.reason(),
                        findings(
                                new Findings(BoundedList.none(), BoundedList.none(), null, List.of()),
                                decided.allowed(),
                                hidden(decided.reason()),
                                result)));
    }

    private CommandException nothingSeen() {
        return CommandException.undetermined(
                why.startsWith("you may not ")
                        ? why + ", or list on its role objects"
                        : (why.isEmpty() ? "" : why + "\n") + "nor can its role objects be read: " + hidden);
    }

    private NamedGrant hidden(String reason) {
        return new NamedGrant(
                "unknown", server.connection().server().toString(), reason.isEmpty() ? "can't be seen" : reason);
    }

    private DecodedResponse<Explanation> byRoles(AccessReview requested) {
        ExplainedDecision byRoles =
                roles.explain(new Attributes(Objects.requireNonNull(requested.user()), requested.access()));
        boolean granted = !byRoles.findings().grants().items().isEmpty();
        List<UnexplainedAuthorizer> unexplained = new ArrayList<>(unseen);
        boolean allowed = granted;
        String reason = byRoles.decision().reason();
        try {
            ReviewStatus decided = decided(requested);
            allowed = decided.allowed();
            reason = decided.reason();
        } catch (CommandException refused) {
            unexplained.add(new UnexplainedAuthorizer(
                    "the server",
                    "its own decision is unavailable, so that only role objects count: " + refused.getMessage()));
        }
        if (granted && !allowed) {
            unexplained.add(new UnexplainedAuthorizer(
                    "the server", "its role objects grant this, but another authorizer denies it"));
        }
        return PolicyFileSource.encoded(
                requested,
                new Explanation(allowed, reason, findings(byRoles.findings(), allowed, hidden(reason), unexplained)));
    }

    private static Findings findings(
            Findings found, boolean allowed, NamedGrant hidden, List<UnexplainedAuthorizer> unexplained) {
        if (!allowed) {
            return new Findings(BoundedList.none(), found.nearMisses(), found.suggestion(), unexplained);
        }
        BoundedList<NamedGrant> grants =
                found.grants().items().isEmpty() ? new BoundedList<>(List.of(hidden), 0) : found.grants();
        return new Findings(grants, BoundedList.none(), null, unexplained);
    }

    DecodedResponse<SubjectListing> subjects(AccessReview requested) {
        if (!hidden.isEmpty()) {
            throw nothingSeen();
        }
        SubjectListing listing = roles.subjects(requested.access());
        return PolicyFileSource.encoded(requested, new SubjectListing(listing.subjects(), unseen));
    }

    Authorizer roles() {
        return roles;
    }

    /**
     * Returns the server's own decision; all users may request it for themselves, few for others.
     *
     * @throws CommandException if the server refuses
     */
    private ReviewStatus decided(AccessReview requested) {
        UserInfo user = Objects.requireNonNull(requested.user());
        try {
            return server.decide(DecisionSource.review(Optional.of(user), requested.access()))
                    .value();
        } catch (CommandException refused) {
            if (!isCaller(user)) {
                throw refused;
            }
            return server.decide(DecisionSource.review(Optional.empty(), requested.access()))
                    .value();
        }
    }

    private boolean isCaller(UserInfo user) {
        try {
            UserInfo caller = CurrentUser.at(server.connection());
            return caller.name().equals(user.name()) && caller.groups().equals(user.groups());
        } catch (CommandException unknown) {
            return false;
        }
    }

    /**
     * Role objects of a server that does not explain its decisions.
     *
     * @param policy the readable ones
     * @param unseen the unreadable parts
     * @param hidden the reason if no type was readable, else {@code ""}
     */
    record ServedRoles(RbacPolicy policy, List<UnexplainedAuthorizer> unseen, String hidden) {
        ServedRoles {
            unseen = List.copyOf(unseen);
        }

        /**
         * Reads the role objects.
         *
         * @param why the server's response instead of an explanation, {@code ""} if it does not know the request
         */
        static ServedRoles read(HttpsConnection server, String why) {
            List<RbacObject> objects = new ArrayList<>();
            List<UnexplainedAuthorizer> unseen = new ArrayList<>();
            unseen.add(new UnexplainedAuthorizer(
                    "the server",
                    "it does not explain its decisions" + (why.isEmpty() ? "" : " to you (" + why + ")")
                            + ", so that its role objects are used; access by its webhooks, policy files or built-in rules,"
                            + " and whether it uses role objects at all, is unknown"));
            int refused = 0;
            for (RbacKind kind : RbacKind.values()) {
                ServerRoles.RoleListing listed = ServerRoles.list(server, kind);
                objects.addAll(listed.objects());
                String problem = problem(listed);
                if (!problem.isEmpty()) {
                    refused++;
                    unseen.add(new UnexplainedAuthorizer(
                            RbacAuthorizer.MODE, kind.resource() + " can't be read: " + problem));
                }
            }
            String hidden =
                    refused == RbacKind.values().length ? unseen.getLast().reason() : "";
            return new ServedRoles(ServerRoles.policy(objects), unseen, hidden);
        }

        private static String problem(ServerRoles.RoleListing listed) {
            if (listed.failure() != null) {
                return String.valueOf(listed.failure().getMessage());
            }
            return listed.leftOut().isEmpty()
                    ? ""
                    : listed.leftOut().size() + " of them have fields that are not understood";
        }
    }
}
