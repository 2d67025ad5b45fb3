package io.plat.tests.modes;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.RunningServer;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.TreeSet;

/** A server that is queried by access reviews, over one connection. */
final class ReviewServer {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

    private static final String RULES = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";

    private final RunningServer server;
    private final HttpsClient client;

    ReviewServer(RunningServer server, HttpsClient client) {
        this.server = server;
        this.client = client;
    }

    /** Returns whether a review is possible for a user: one with a name or a group. */
    static boolean canReview(Attributes requested) {
        return !requested.user().name().isEmpty() || !requested.user().groups().isEmpty();
    }

    Answer decide(Attributes requested) throws IOException {
        HttpResponse<String> response = client.post(server.at(REVIEWS), review(requested));
        assertThat(response.statusCode())
                .as("%s: %s", requested, response.body())
                .isEqualTo(201);
        JsonNode status = JSON.readTree(response.body()).path("status");
        boolean allowed = status.path("allowed").asBoolean();
        return new Answer(allowed, allowed ? "" : status.path("reason").asText());
    }

    /** Returns the rules of a user, who is impersonated, and whether there may be more. */
    Set<String> rules(UserInfo user, String namespace) throws IOException {
        HttpsClient impersonating = client.withHeader("Impersonate-User", user.name());
        for (String group : user.groups()) {
            impersonating = impersonating.withHeader("Impersonate-Group", group);
        }
        HttpResponse<String> response =
                impersonating.post(server.at(RULES), "{\"spec\":{\"namespace\":\"" + namespace + "\"}}");
        if (response.statusCode() == 403) {
            return Set.of("may not ask for its rules");
        }
        assertThat(response.statusCode()).as("%s: %s", user, response.body()).isEqualTo(201);
        JsonNode status = JSON.readTree(response.body()).path("status");
        Set<String> rules = new TreeSet<>();
        status.path("resourceRules").forEach(rule -> rules.add(rule.toString()));
        status.path("nonResourceRules").forEach(rule -> rules.add(rule.toString()));
        rules.add("incomplete: " + status.path("incomplete")
                + status.path("evaluationError").asText());
        return rules;
    }

    /** Returns its policy revision, from its metrics. */
    String revision() throws IOException {
        String info = client.get(server.at("/metrics"))
                .body()
                .lines()
                .filter(line -> line.startsWith("policy_info{"))
                .findFirst()
                .orElse("");
        assertThat(info).isNotEmpty();
        return info;
    }

    HttpResponse<String> send(String method, String path, String body) throws IOException {
        return client.send(method, server.at(path), body);
    }

    private static String review(Attributes requested) {
        ObjectNode review = JSON.createObjectNode();
        review.put("apiVersion", "authorization.k8s.io/v1").put("kind", "SubjectAccessReview");
        ObjectNode spec = review.putObject("spec");
        spec.put("user", requested.user().name());
        requested.user().groups().forEach(spec.putArray("groups")::add);
        switch (requested.access()) {
            case ResourceAttributes resource ->
                spec.putObject("resourceAttributes")
                        .put("verb", resource.verb())
                        .put("group", resource.group())
                        .put("version", resource.version())
                        .put("resource", resource.resource())
                        .put("subresource", resource.subresource())
                        .put("namespace", resource.namespace())
                        .put("name", resource.name());
            case NonResourceAttributes path ->
                spec.putObject("nonResourceAttributes").put("verb", path.verb()).put("path", path.path());
        }
        return review.toString();
    }
}
