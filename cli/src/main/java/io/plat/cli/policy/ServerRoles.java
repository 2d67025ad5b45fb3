package io.plat.cli.policy;

import io.plat.cli.CommandException;
import io.plat.cli.server.Answer;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.Refused;
import io.plat.engine.rbac.RbacBinding;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.RbacRole;
import io.plat.engine.rbac.served.MalformedRolesException;
import io.plat.engine.rbac.served.ServedForm;
import io.plat.engine.rbac.served.ServedObject;
import io.plat.engine.rbac.served.ServedPage;
import io.plat.review.ApiGroups;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Reads all role objects of an API server, in chunks. */
public final class ServerRoles {
    private static final String ROOT = "/apis/" + ApiGroups.RBAC + "/v1/";
    private static final int CHUNK = 500;
    private static final int MOST_CHUNKS = 10_000;

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
        String next = "";
        for (int chunk = 0; chunk == 0 || !next.isEmpty(); chunk++) {
            if (chunk == MOST_CHUNKS) {
                throw malformed("a list has more than " + MOST_CHUNKS + " chunks");
            }
            String query = "?limit=" + CHUNK
                    + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
            ServedPage page = page(kind, server.get(ROOT + kind.resource() + query, ServedForm.ACCEPTED_LISTS));
            page.items().forEach(this::add);
            page.nameless().forEach(problem -> warn("an object of " + kind.resource(), problem));
            next = page.next();
        }
    }

    private ServedPage page(RbacKind kind, Answer answer) {
        if (!answer.succeeded()) {
            throw Refused.by(server.server(), answer);
        }
        ServedForm form = ServedForm.of(answer.contentType()).orElseThrow(() -> malformed("another type of content"));
        try {
            return form.page(kind, answer.body(), answer.body().length);
        } catch (MalformedRolesException e) {
            throw malformed(String.valueOf(e.getMessage()));
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

    private CommandException malformed(String what) {
        return CommandException.couldNotTell(
                server.server() + " answered with something else than role objects: " + what);
    }
}
