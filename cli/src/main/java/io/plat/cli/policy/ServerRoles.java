package io.plat.cli.policy;

import io.plat.cli.CommandException;
import io.plat.cli.server.HttpsConnection;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.served.MalformedRolesException;
import io.plat.engine.rbac.served.ServedObject;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import java.util.ArrayList;
import java.util.List;

/** Reads all role objects of an API server, in chunks. */
public final class ServerRoles {
    private final HttpsConnection server;
    private final List<RbacRole> roles = new ArrayList<>();
    private final List<RbacBinding> bindings = new ArrayList<>();
    private final List<Problem> warnings = new ArrayList<>();

    private ServerRoles(HttpsConnection server) {
        this.server = server;
    }

    /**
     * The role objects as the server has them now. Those that can't be used are left out with a warning.
     *
     * @throws CommandException if they can't be listed
     */
    public static PolicyDocuments read(HttpsConnection server) {
        ServerRoles reader = new ServerRoles(server);
        for (RbacKind kind : RbacKind.values()) {
            reader.list(kind);
        }
        return new PolicyDocuments(null, new RbacPolicy(reader.roles, reader.bindings), reader.warnings);
    }

    private void list(RbacKind kind) {
        try {
            CommandException refusal = RoleLists.each(server, kind, page -> {
                page.items().forEach(this::add);
                page.nameless().forEach(problem -> warn("an object of " + kind.resource(), problem));
            });
            if (refusal != null) {
                throw refusal;
            }
        } catch (MalformedRolesException e) {
            throw CommandException.couldNotTell(
                    server.server() + " answered with something else than role objects: " + e.getMessage());
        }
    }

    private void add(ServedObject item) {
        switch (item.object()) {
            case null -> warn(item.key().toString(), item.problem());
            case RbacRole role -> roles.add(role);
            case RbacBinding binding -> bindings.add(binding);
        }
    }

    private void warn(String what, String problem) {
        warnings.add(new Problem(new Location(server.server().toString(), 0), "left out: " + what + ": " + problem));
    }
}
