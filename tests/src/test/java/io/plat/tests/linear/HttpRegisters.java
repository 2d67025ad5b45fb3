package io.plat.tests.linear;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.RunningServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.concurrent.ConcurrentMap;

/** Config maps as registers: the state is a value in them, and a conditional write uses the resource version of that state. */
final class HttpRegisters implements Registers {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PATH = "/api/v1/namespaces/default/configmaps";

    private final HttpsClient client;
    private final RunningServer server;
    private final ConcurrentMap<Long, String> versions;

    /** Registers of a server; the known versions are shared with those of restarted servers. */
    HttpRegisters(HttpsClient client, RunningServer server, ConcurrentMap<Long, String> versions) {
        this.client = client;
        this.server = server;
        this.versions = versions;
    }

    @Override
    public Operation.Result apply(String key, Operation.Action action) {
        URI object = server.at(PATH + "/" + key);
        try {
            return switch (action) {
                case Operation.Action.Read ignored -> read(client.get(object));
                case Operation.Action.Create create ->
                    written(client.post(server.at(PATH), configMap(key, create.state(), "")), 409);
                case Operation.Action.Replace replace ->
                    written(
                            client.send("PUT", object, configMap(key, replace.state(), version(replace.expected()))),
                            404,
                            409);
                case Operation.Action.Delete delete ->
                    deleted(client.send(
                            "DELETE",
                            object,
                            "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"preconditions\":{\"resourceVersion\":\""
                                    + version(delete.expected()) + "\"}}"));
            };
        } catch (IOException aborted) {
            return new Operation.Result.Unknown();
        }
    }

    private String version(long state) {
        String version = versions.get(state);
        if (version == null) {
            throw new IllegalStateException("no response contained the state " + state);
        }
        return version;
    }

    private static String configMap(String name, long state, String version) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"" + name + "\""
                + (version.isEmpty() ? "" : ",\"resourceVersion\":\"" + version + "\"") + "},\"data\":{\"state\":\""
                + state + "\"}}";
    }

    private Operation.Result read(HttpResponse<String> answer) throws IOException {
        return answer.statusCode() == 404 ? new Operation.Result.Found(0) : new Operation.Result.Found(state(answer));
    }

    private long state(HttpResponse<String> answer) throws IOException {
        if (answer.statusCode() != 200 && answer.statusCode() != 201) {
            throw new AssertionError(answer.statusCode() + " " + answer.body());
        }
        JsonNode object = JSON.readTree(answer.body());
        long state = Long.parseLong(object.at("/data/state").asText());
        String version = object.at("/metadata/resourceVersion").asText();
        String before = versions.putIfAbsent(state, version);
        if (before != null && !before.equals(version)) {
            throw new AssertionError("the state " + state + " has the versions " + before + " and " + version);
        }
        return state;
    }

    private Operation.Result written(HttpResponse<String> answer, int... refusals) throws IOException {
        for (int refusal : refusals) {
            if (answer.statusCode() == refusal) {
                return new Operation.Result.Refused();
            }
        }
        state(answer);
        return new Operation.Result.Done();
    }

    private static Operation.Result deleted(HttpResponse<String> answer) {
        return switch (answer.statusCode()) {
            case 200 -> new Operation.Result.Done();
            case 404, 409 -> new Operation.Result.Refused();
            default -> throw new AssertionError(answer.statusCode() + " " + answer.body());
        };
    }
}
