package io.plat.cli.policy;

import io.plat.cli.process.CommandException;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ServerResponse;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.RbacObject;
import io.plat.engine.rbac.RbacPolicy;
import io.plat.engine.rbac.served.ReceivedObject;
import io.plat.engine.rbac.served.ServedJson;
import io.plat.engine.rbac.served.ServedPage;
import io.plat.review.ApiGroups;
import io.plat.review.codec.MalformedResponseException;
import io.plat.review.source.Location;
import io.plat.review.source.Problem;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The role objects of an API server, listed one type at a time, in chunks. */
public final class ServerRoles {
    private static final String ROOT = "/apis/" + ApiGroups.RBAC + "/v1/";

    private ServerRoles() {}

    /**
     * Result of listing the objects of a type.
     *
     * @param objects the valid ones
     * @param leftOut the invalid ones, with the problems
     * @param failure why the list is incomplete: the server's refusal, or a malformed response; null if it is complete
     */
    public record RoleListing(
            List<RbacObject> objects,
            List<String> leftOut,
            @Nullable Exception failure) {}

    /**
     * Reads the role objects. Invalid ones are omitted with a warning.
     *
     * @throws CommandException if they cannot be listed
     */
    public static PolicyDocuments read(HttpsConnection server) {
        List<RbacObject> objects = new ArrayList<>();
        List<Problem> warnings = new ArrayList<>();
        Location where = new Location(server.server().toString(), 0);
        for (RbacKind kind : RbacKind.values()) {
            RoleListing listed = list(server, kind);
            switch (listed.failure()) {
                case null -> objects.addAll(listed.objects());
                case CommandException refusal ->
                    throw String.valueOf(refusal.getMessage()).contains(": 404 ")
                            ? CommandException.undetermined(server.server()
                                    + " serves no RBAC objects, like a decider; use an API server, or policy files")
                            : refusal;
                case Exception malformed ->
                    throw CommandException.undetermined(
                            server.server() + " did not respond with RBAC objects: " + malformed.getMessage());
            }
            listed.leftOut().forEach(one -> warnings.add(new Problem(where, "left out: " + one)));
        }
        return new PolicyDocuments(null, RbacPolicy.of(objects), warnings);
    }

    /**
     * Lists the objects of a type.
     *
     * @throws CommandException if the server cannot be reached
     */
    public static RoleListing list(HttpsConnection server, RbacKind kind) {
        List<RbacObject> objects = new ArrayList<>();
        List<String> leftOut = new ArrayList<>();
        try {
            CommandException failure = ServerResponse.readChunks(server, ROOT + kind.resource(), chunk -> {
                ServedPage page = page(kind, chunk);
                for (ReceivedObject item : page.items()) {
                    if (item.object() == null) {
                        leftOut.add(item.key() + ": " + item.problem());
                    } else {
                        objects.add(item.object());
                    }
                }
                page.nameless().forEach(problem -> leftOut.add("an object of " + kind.resource() + ": " + problem));
                return page.next();
            });
            return new RoleListing(objects, leftOut, failure);
        } catch (MalformedResponseException malformed) {
            return new RoleListing(objects, leftOut, malformed);
        }
    }

    private static ServedPage page(RbacKind kind, ServerResponse answer) throws MalformedResponseException {
        if (!ServedJson.isJson(answer.contentType())) {
            throw new MalformedResponseException("an answer has the type \"" + answer.contentType() + "\"");
        }
        return ServedJson.page(kind, answer.body());
    }
}
