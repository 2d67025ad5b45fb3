package io.plat.cli.ask;

import io.plat.cli.CommandException;
import io.plat.cli.policy.RoleLists;
import io.plat.cli.server.HttpsConnection;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.index.RbacAuthorizer;
import io.plat.engine.rbac.served.MalformedRolesException;
import io.plat.engine.rbac.served.ServedObject;
import io.plat.review.explain.Unexplained;
import java.util.ArrayList;
import java.util.List;

/**
 * The role objects of a server that does not explain its decisions.
 *
 * @param policy those that could be read
 * @param unseen what could not be seen
 * @param hidden why not one type could be read, {@code ""} where one could
 */
record ServedRoles(RbacPolicy policy, List<Unexplained> unseen, String hidden) {
    ServedRoles {
        unseen = List.copyOf(unseen);
    }

    /**
     * Reads them.
     *
     * @param why what the server said instead of explaining, {@code ""} where it does not know the question
     */
    static ServedRoles read(HttpsConnection server, String why) {
        List<RbacRole> roles = new ArrayList<>();
        List<RbacBinding> bindings = new ArrayList<>();
        List<Unexplained> unseen = new ArrayList<>();
        unseen.add(new Unexplained(
                "the server",
                "it does not explain its decisions" + (why.isEmpty() ? "" : " to you (" + why + ")")
                        + ", so that its role objects were read; what its webhooks, policy files or built-in rules allow besides,"
                        + " and whether it decides by role objects at all, can't be seen"));
        int refused = 0;
        for (RbacKind kind : RbacKind.values()) {
            List<RbacObject> objects = new ArrayList<>();
            String problem = list(server, kind, objects);
            if (!problem.isEmpty()) {
                refused++;
                unseen.add(new Unexplained(RbacAuthorizer.MODE, kind.resource() + " can't be read: " + problem));
            }
            for (RbacObject object : objects) {
                switch (object) {
                    case RbacRole role -> roles.add(role);
                    case RbacBinding binding -> bindings.add(binding);
                }
            }
        }
        String hidden = refused == RbacKind.values().length ? unseen.getLast().reason() : "";
        return new ServedRoles(new RbacPolicy(roles, bindings), unseen, hidden);
    }

    /** Adds the objects of a type; what could not be read, {@code ""} for nothing. */
    private static String list(HttpsConnection server, RbacKind kind, List<RbacObject> objects) {
        int[] unusable = {0};
        try {
            CommandException refusal = RoleLists.each(server, kind, page -> {
                unusable[0] += page.nameless().size();
                for (ServedObject item : page.items()) {
                    RbacObject object = item.object();
                    if (object == null) {
                        unusable[0]++;
                    } else {
                        objects.add(object);
                    }
                }
            });
            if (refusal != null) {
                return String.valueOf(refusal.getMessage());
            }
        } catch (MalformedRolesException e) {
            return String.valueOf(e.getMessage());
        }
        return unusable[0] == 0 ? "" : unusable[0] + " of them have fields that are not understood";
    }
}
