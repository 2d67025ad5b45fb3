package io.plat.tests.apiserver.transcripts;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * A request and the response of kube-apiserver.
 *
 * @param title unique description
 * @param request method, path, headers and body
 * @param response status, headers and body
 */
record Exchange(String title, JsonNode request, ObjectNode response) {
    static final ObjectMapper JSON = new ObjectMapper();

    /** Returns the exchanges in order. */
    static List<Exchange> all() throws IOException {
        var all = new ArrayList<Exchange>();
        for (JsonNode row : rows("exchanges.jsonl")) {
            all.add(new Exchange(row.path("title").asText(), row.path("request"), (ObjectNode) row.path("response")));
        }
        return all;
    }

    /** Returns the lines of a file of this test. */
    static List<JsonNode> rows(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(Exchange.class.getResourceAsStream("/transcripts/" + file))) {
            var rows = new ArrayList<JsonNode>();
            for (String line : new String(in.readAllBytes(), UTF_8).lines().toList()) {
                rows.add(JSON.readTree(line));
            }
            return rows;
        }
    }

    /** Returns whether it was sent without a client certificate. */
    boolean anonymous() {
        return title.equals("anonymous request") || request.path("headers").has("Authorization");
    }

    @Override
    public String toString() {
        return title;
    }
}
