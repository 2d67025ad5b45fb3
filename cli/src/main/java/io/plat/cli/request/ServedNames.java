package io.plat.cli.request;

import io.plat.cli.process.CommandException;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.ServerResponse;
import io.plat.review.json.JsonObject;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;

/** Names of objects on a server. */
public final class ServedNames {
    private ServedNames() {}

    /**
     * Returns the names of all namespaces.
     *
     * @throws CommandException if the server refuses, or the list is endless
     */
    public static List<String> namespaces(HttpsConnection server) {
        List<String> names = new ArrayList<>();
        CommandException failure = ServerResponse.readChunks(server, "/api/v1/namespaces", chunk -> {
            JsonObject list = DiscoveredTypes.document(chunk);
            list.objects("items")
                    .forEach(item -> names.add(item.object("metadata").text("name")));
            return list.object("metadata").text("continue");
        });
        if (failure != null) {
            throw failure;
        }
        return List.copyOf(names);
    }

    /** Returns the versions of all API groups, such as {@code apps/v1}; none if the server has no discovery. */
    public static List<String> groupVersions(HttpsConnection server) {
        return DiscoveredTypes.document(server.get("/apis")).objects("groups").stream()
                .flatMap(group -> group.objects("versions").stream())
                .map(version -> version.text("groupVersion"))
                .toList();
    }

    /** Returns whether a server reports that a service account does not exist; false if unknown. */
    public static boolean lacksServiceAccount(HttpsConnection server, String namespace, String name) {
        ServerResponse answer = server.get("/api/v1/namespaces/" + ServerResponse.urlSegment(namespace)
                + "/serviceaccounts/" + ServerResponse.urlSegment(name));
        String text = answer.text();
        // A decider has no such path at all.
        return answer.code() == HttpURLConnection.HTTP_NOT_FOUND && text.contains("serviceaccounts \\\"");
    }
}
