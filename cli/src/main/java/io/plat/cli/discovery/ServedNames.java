package io.plat.cli.discovery;

import io.plat.cli.server.FailureText;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ServerResponse;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The names of objects that a server has. */
public final class ServedNames {
    private static final int CHUNK = 500;
    private static final int MAX = 100_000;
    private static final int NOT_FOUND = 404;

    private ServedNames() {}

    /**
     * Returns the names of all namespaces.
     *
     * @throws io.plat.cli.process.CommandException if the server refuses
     */
    public static List<String> namespaces(HttpsConnection server) {
        List<String> names = new ArrayList<>();
        String next = "";
        do {
            ServerResponse answer = server.get("/api/v1/namespaces?limit=" + CHUNK
                    + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8)));
            if (!answer.succeeded()) {
                throw FailureText.by(server.server(), answer);
            }
            ServedDocument list = ServedDocument.of(answer);
            list.objects("items")
                    .forEach(item -> names.add(item.object("metadata").text("name")));
            next = list.object("metadata").text("continue");
        } while (!next.isEmpty() && names.size() < MAX);
        return List.copyOf(names);
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
