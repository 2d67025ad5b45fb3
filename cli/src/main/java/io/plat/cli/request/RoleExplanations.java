package io.plat.cli.request;

import io.plat.cli.policy.ServerRoles;
import io.plat.cli.process.CommandException;
import io.plat.cli.server.DecodedResponse;
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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Explanations of a server's decisions by its role objects. The decision is the server's, if it sends one; a contradiction by the role objects
 * is reported too.
 */
final class RoleExplanations {
    private final ServerSource server;
    private final RbacAuthorizer roles;
    private final List<UnexplainedAuthorizer> unexplained = new ArrayList<>();

    /** The reason if no type was readable, else {@code ""}. */
    private final String unreadable;

    private final String response;

    /**
     * Reads a server's role objects.
     *
     * @param response the server's response instead of an explanation
     * @param refused whether that is a refusal, and not merely an unknown request
     */
    RoleExplanations(ServerSource server, String response, boolean refused) {
        this.server = server;
        this.response = response;
        unexplained.add(new UnexplainedAuthorizer(
                "the server",
                "it does not explain its decisions" + (refused ? " to you (" + response + ")" : "")
                        + ", so its role objects are used; access by its webhooks, policy files or built-in"
                        + " rules, and whether it uses role objects at all, is unknown"));
        List<RbacObject> objects = new ArrayList<>();
        for (RbacKind kind : RbacKind.values()) {
            ServerRoles.RoleListing listed = ServerRoles.list(server.connection(), kind);
            objects.addAll(listed.objects());
            String problem = problem(listed);
            if (!problem.isEmpty()) {
                unexplained.add(new UnexplainedAuthorizer(
                        RbacAuthorizer.MODE, kind.resource() + " cannot be read: " + problem));
            }
        }
        boolean nothing = unexplained.size() > RbacKind.values().length;
        this.unreadable = nothing ? unexplained.getLast().reason() : "";
        this.roles = RbacAuthorizer.of(RbacIndex.of(RbacPolicy.of(objects)), "");
    }

    private static String problem(ServerRoles.RoleListing listed) {
        if (listed.failure() != null) {
            return String.valueOf(listed.failure().getMessage());
        }
        return listed.leftOut().isEmpty()
                ? ""
                : listed.leftOut().size() + " of them have fields that are not understood";
    }

    DecodedResponse<Explanation> explain(AccessReview requested) {
        return unreadable.isEmpty() ? byRoles(requested) : unexplained(requested);
    }

    /** Returns the decision and the server's reason, without role objects. */
    private DecodedResponse<Explanation> unexplained(AccessReview requested) {
        ReviewStatus decided;
        try {
            decided = decided(requested);
        } catch (CommandException refusal) {
            throw nothingReadable();
        }
        List<UnexplainedAuthorizer> result = List.of(new UnexplainedAuthorizer(
                "the server",
                "it shows you neither explanations nor role objects: requires create on"
                        + " accessexplanations.authorization.k8s.io, or list on its role objects; -v shows its"
                        + " answers"));
        return PolicyFileSource.encoded(
                requested,
                new Explanation(
                        decided.allowed(),
                        decided.reason(),
                        findings(
                                new Findings(BoundedList.none(), BoundedList.none(), null, List.of()),
                                decided.allowed(),
                                unknownGrant(decided.reason()),
                                result)));
    }

    private CommandException nothingReadable() {
        return CommandException.undetermined(
                response.startsWith("you may not ")
                        ? response + ", or list on its role objects"
                        : (response.isEmpty() ? "" : response + "\n") + "nor can its role objects be read: "
                                + unreadable);
    }

    private NamedGrant unknownGrant(String reason) {
        return new NamedGrant(
                "unknown", server.connection().server().toString(), reason.isEmpty() ? "cannot be seen" : reason);
    }

    private DecodedResponse<Explanation> byRoles(AccessReview requested) {
        ExplainedDecision byRoles =
                roles.explain(new Attributes(Objects.requireNonNull(requested.user()), requested.access()));
        boolean granted = !byRoles.findings().grants().items().isEmpty();
        List<UnexplainedAuthorizer> limitations = new ArrayList<>(unexplained);
        boolean allowed = granted;
        String reason = byRoles.decision().reason();
        try {
            ReviewStatus decided = decided(requested);
            allowed = decided.allowed();
            reason = decided.reason();
        } catch (CommandException refusal) {
            limitations.add(new UnexplainedAuthorizer(
                    "the server",
                    "its own decision is unavailable, so only role objects are considered: " + refusal.getMessage()));
        }
        if (granted && !allowed) {
            limitations.add(new UnexplainedAuthorizer(
                    "the server", "its role objects grant this, but another authorizer denies it"));
        }
        return PolicyFileSource.encoded(
                requested,
                new Explanation(
                        allowed, reason, findings(byRoles.findings(), allowed, unknownGrant(reason), limitations)));
    }

    private static Findings findings(
            Findings byRoles, boolean allowed, NamedGrant unknown, List<UnexplainedAuthorizer> unexplained) {
        if (!allowed) {
            return new Findings(BoundedList.none(), byRoles.nearMisses(), byRoles.suggestion(), unexplained);
        }
        BoundedList<NamedGrant> grants =
                byRoles.grants().items().isEmpty() ? new BoundedList<>(List.of(unknown), 0) : byRoles.grants();
        return new Findings(grants, BoundedList.none(), null, unexplained);
    }

    DecodedResponse<SubjectListing> subjects(AccessReview requested) {
        if (!unreadable.isEmpty()) {
            throw nothingReadable();
        }
        SubjectListing listing = roles.subjects(requested.access());
        return PolicyFileSource.encoded(requested, new SubjectListing(listing.subjects(), unexplained));
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
        } catch (CommandException refusal) {
            if (!isCaller(user)) {
                throw refusal;
            }
            return server.decide(DecisionSource.review(Optional.empty(), requested.access()))
                    .value();
        }
    }

    private boolean isCaller(UserInfo user) {
        try {
            UserInfo caller = server.connection().currentUser(Map.of()).value();
            return caller.name().equals(user.name()) && caller.groups().equals(user.groups());
        } catch (CommandException unknown) {
            return false;
        }
    }
}
