package io.plat.cli.ask;

import io.plat.cli.policy.ServerRoles;
import io.plat.cli.server.HttpsConnection;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.review.explain.Unexplained;
import java.util.ArrayList;
import java.util.List;

/**
 * Role objects of a server that does not explain its decisions.
 *
 * @param policy the readable ones
 * @param unseen the unreadable parts
 * @param hidden the reason if no type was readable, else {@code ""}
 */
record ServedRoles(RbacPolicy policy, List<Unexplained> unseen, String hidden) {
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
        List<Unexplained> unseen = new ArrayList<>();
        unseen.add(new Unexplained(
                "the server",
                "it does not explain its decisions" + (why.isEmpty() ? "" : " to you (" + why + ")")
                        + ", so that its role objects are used; access by its webhooks, policy files or built-in rules,"
                        + " and whether it uses role objects at all, is unknown"));
        int refused = 0;
        for (RbacKind kind : RbacKind.values()) {
            ServerRoles.Listed listed = ServerRoles.list(server, kind);
            objects.addAll(listed.objects());
            String problem = problem(listed);
            if (!problem.isEmpty()) {
                refused++;
                unseen.add(new Unexplained(RbacAuthorizer.MODE, kind.resource() + " can't be read: " + problem));
            }
        }
        String hidden = refused == RbacKind.values().length ? unseen.getLast().reason() : "";
        return new ServedRoles(ServerRoles.policy(objects), unseen, hidden);
    }

    private static String problem(ServerRoles.Listed listed) {
        if (listed.failure() != null) {
            return String.valueOf(listed.failure().getMessage());
        }
        return listed.leftOut().isEmpty()
                ? ""
                : listed.leftOut().size() + " of them have fields that are not understood";
    }
}
