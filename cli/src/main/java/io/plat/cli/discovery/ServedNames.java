package io.plat.cli.discovery;

import io.plat.cli.process.CommandException;
import io.plat.cli.server.FailureText;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ServerResponse;
import io.plat.cli.server.ServerResponse.Chunks;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Names of objects on a server. */
public final class ServedNames {
    private static final int NOT_FOUND = 404;

    private ServedNames() {}

    /**
     * Returns the names of all namespaces.
     *
     * @throws CommandException if the server refuses, or the list is endless
     */
    public static List<String> namespaces(HttpsConnection server) {
        List<String> names = new ArrayList<>();
        Chunks chunks = new Chunks();
        ServerResponse answer;
        String next = "";
        do {
            answer = server.get("/api/v1/namespaces?limit=" + Chunks.SIZE
                    + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8)));
            if (!answer.succeeded()) {
                throw FailureText.by(server.server(), answer);
            }
            ServedTypes.ServedDocument list = ServedTypes.ServedDocument.of(answer);
            list.objects("items")
                    .forEach(item -> names.add(item.object("metadata").text("name")));
            next = list.object("metadata").text("continue");
            if (next.isEmpty()) {
                return List.copyOf(names);
            }
        } while (chunks.admitNext(answer));
        throw CommandException.undetermined(server.server() + "/api/v1/namespaces: " + Chunks.problem());
    }

    /** Returns the versions of all API groups, such as {@code apps/v1}; none if the server has no discovery. */
    public static List<String> groupVersions(HttpsConnection server) {
        return ServedTypes.ServedDocument.of(server.get("/apis")).objects("groups").stream()
                .flatMap(group -> group.objects("versions").stream())
                .map(version -> version.text("groupVersion"))
                .toList();
    }

    /** Returns whether a server reports that a service account does not exist; false if unknown. */
    public static boolean lacksServiceAccount(HttpsConnection server, String namespace, String name) {
        ServerResponse answer =
                server.get("/api/v1/namespaces/" + encoded(namespace) + "/serviceaccounts/" + encoded(name));
        String text = answer.text();
        // A decider has no such path at all.
        return answer.code() == NOT_FOUND && text.contains("serviceaccounts \\\"");
    }

    private static String encoded(String segment) {
        return URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
