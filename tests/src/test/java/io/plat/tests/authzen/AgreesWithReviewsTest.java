package io.plat.tests.authzen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.review.codec.ReviewCodec;
import io.plat.tests.model.RandomPolicies;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * On random small policies, an evaluation equals the decision on a review of the mapped attributes, and a search finds exactly the names in
 * the policy whose evaluation is true. {@code -Dplat.seed} repeats a run.
 */
class AgreesWithReviewsTest {
    private static final int POLICIES = Boolean.getBoolean("plat.full") ? 60 : 3;
    private static final int REQUESTS = 150;
    private static final int SEARCHES = 25;
    private static final ReviewCodec REVIEWS = new ReviewCodec();
    private static final List<String> USERS = List.of("jane", "joe", "someone");
    private static final List<String> GROUPS = List.of("dev", "ops", "none");
    private static final List<String> ACCOUNTS = List.of("a:x", "b:x", "c:x");
    private static final List<String> VERBS =
            List.of("get", "list", "watch", "create", "delete", "deletecollection", "use", "frobnicate");
    private static final List<String> PATHS = List.of("/", "/foo", "/foo/", "/foo/bar", "/fo", "/version", "/else");

    @Test
    void evaluationsAgreeWithReviewsAndSearchesWithEvaluations() throws IOException {
        long seed = Long.getLong("plat.seed", System.nanoTime());
        System.out.println("random policies for AuthZEN: -Dplat.seed=" + seed);
        for (int i = 0; i < POLICIES; i++) {
            RandomPolicies random = new RandomPolicies(seed + i);
            TestPki pki = TestPki.create();
            Files.writeString(pki.directory().resolve("policy.jsonl"), random.lines());
            Files.writeString(pki.directory().resolve("roles.yaml"), random.manifests());
            String modes = i % 3 == 0 ? "ABAC,RBAC" : i % 3 == 1 ? "RBAC" : "ABAC";
            List<String> flags = new ArrayList<>(List.of("--authorization-mode=" + modes));
            if (modes.contains("ABAC")) {
                flags.add("--authorization-policy-file=" + pki.file("policy.jsonl"));
            }
            if (modes.contains("RBAC")) {
                flags.add("--authorization-rbac-path=" + pki.file("roles.yaml"));
            }
            try (AuthZenDecider decider = AuthZenDecider.start(pki, flags.toArray(String[]::new))) {
                List<Attributes> requests = random.requests(REQUESTS).stream()
                        .filter(AgreesWithReviewsTest::isPossible)
                        .toList();
                evaluationsAreReviews(decider, requests, seed + i);
                for (Attributes request : requests.subList(0, Math.min(SEARCHES, requests.size()))) {
                    String as = "-Dplat.seed=" + (seed + i) + " " + modes + " " + request;
                    searchesAreEvaluations(decider, request, as);
                }
            }
        }
    }

    /** A request has no name {@code *}, a subject has a name, and a slash precedes a subresource. */
    private static boolean isPossible(Attributes request) {
        return !request.user().name().isEmpty()
                && !(request.access() instanceof ResourceAttributes resource
                        && (resource.name().equals("*")
                                || resource.namespace().equals("*")
                                || resource.resource().isEmpty()
                                || (resource.resource() + resource.subresource() + resource.name()).contains("/")
                                || resource.group().contains("/")));
    }

    private static void evaluationsAreReviews(AuthZenDecider decider, List<Attributes> requests, long seed)
            throws IOException {
        List<ObjectNode> evaluations = new ArrayList<>();
        for (Attributes request : requests) {
            ObjectNode evaluation = evaluation("user", request.user().name(), request.access());
            ArrayNode groups = ((ObjectNode) evaluation.get("subject"))
                    .putObject("properties")
                    .putArray("groups");
            request.user().groups().forEach(groups::add);
            evaluations.add(evaluation);
        }
        List<Boolean> decisions = evaluate(decider, evaluations);
        for (int i = 0; i < requests.size(); i++) {
            assertThat(decisions.get(i))
                    .as("-Dplat.seed=%s %s", seed, requests.get(i))
                    .isEqualTo(reviewed(decider, requests.get(i)));
        }
    }

    private static boolean reviewed(AuthZenDecider decider, Attributes request) throws IOException {
        UserInfo user = request.user();
        Set<String> groups = new LinkedHashSet<>(user.groups());
        if (!groups.contains(UserInfo.UNAUTHENTICATED)) {
            groups.add(UserInfo.AUTHENTICATED);
        }
        AccessAttributes access = request.access();
        if (access instanceof ResourceAttributes r) {
            access = new ResourceAttributes(
                    r.namespace(), r.verb(), r.group(), "", r.resource(), r.subresource(), r.name());
        }
        Attributes attributes = new Attributes(new UserInfo(user.name(), List.copyOf(groups)), access);
        byte[] review = REVIEWS.encodeRequest(ReviewVersion.K8S_V1, attributes);
        return decider.ok("/authorize", new String(review, StandardCharsets.UTF_8))
                .path("status")
                .path("allowed")
                .asBoolean();
    }

    private static void searchesAreEvaluations(AuthZenDecider decider, Attributes request, String as)
            throws IOException {
        ObjectNode evaluation = evaluation("user", request.user().name(), request.access());
        List<String> types = List.of("user", "group", "serviceaccount");
        List<List<String>> subjects = List.of(USERS, GROUPS, ACCOUNTS);
        for (int i = 0; i < types.size(); i++) {
            ObjectNode typed = evaluation.deepCopy();
            ((ObjectNode) typed.get("subject")).put("type", types.get(i));
            agrees(decider, "subject", "subject", "id", typed, subjects.get(i), as);
        }
        agrees(decider, "action", "action", "name", evaluation, VERBS, as);
        agrees(decider, "resource", "resource", "id", evaluation, resources(request.access()), as);
    }

    private static List<String> resources(AccessAttributes access) {
        return switch (access) {
            case NonResourceAttributes _ -> PATHS;
            case ResourceAttributes _ -> List.of("", "x", "y", "a/x", "a/y", "b/x", "b/y", "a/", "b/");
        };
    }

    /** Every result evaluates to true, and every name that evaluates to true is a result, unless a grant to all or to its group is reported. */
    private static void agrees(
            AuthZenDecider decider,
            String kind,
            String part,
            String member,
            ObjectNode evaluation,
            List<String> others,
            String as)
            throws IOException {
        ObjectNode search = evaluation.deepCopy();
        ((ObjectNode) search.get(part)).remove(member);
        if (kind.equals("action")) {
            search.remove("action");
        }
        JsonNode answer = decider.ok("/access/v1/search/" + kind, search.toString());
        List<String> listedIds = AuthZenDecider.ids(answer);
        List<ObjectNode> requested = new ArrayList<>();
        List<String> ids = new ArrayList<>(listedIds);
        ids.addAll(others);
        for (String id : ids) {
            ObjectNode one = evaluation.deepCopy();
            ((ObjectNode) one.get(part)).put(member, id);
            requested.add(one);
        }
        List<Boolean> decisions = evaluate(decider, requested);
        boolean unbounded = answer.path("context").path("unbounded").asBoolean();
        Set<String> groups = new HashSet<>();
        answer.path("context").path("groups").forEach(group -> groups.add(group.asText()));
        for (int i = 0; i < ids.size(); i++) {
            String id = ids.get(i);
            boolean everywhere = listedIds.contains(id.substring(id.indexOf('/') + 1));
            if (i < listedIds.size()) {
                assertThat(decisions.get(i))
                        .as("%s %s: %s is found", as, kind, id)
                        .isTrue();
            } else if (decisions.get(i)) {
                // The namespace's group of service accounts may be listed instead of their names.
                boolean inGroup = groups.contains(UserInfo.SERVICE_ACCOUNTS + ":" + id.replaceFirst(":.*", ""));
                assertThat(listedIds.contains(id) || unbounded || everywhere || inGroup)
                        .as("%s %s: %s is allowed, and found are %s", as, kind, id, answer)
                        .isTrue();
            }
        }
        assertThat(answer.path("context").has("incomplete")).as(as).isFalse();
    }

    private static List<Boolean> evaluate(AuthZenDecider decider, List<ObjectNode> evaluations) throws IOException {
        ObjectNode batch = AuthZenDecider.JSON.createObjectNode();
        batch.putArray("evaluations").addAll(evaluations);
        List<Boolean> decisions = AuthZenDecider.decisions(decider.ok(AuthZenDecider.EVALUATIONS, batch.toString()));
        assertThat(decisions).hasSameSizeAs(evaluations);
        return decisions;
    }

    private static ObjectNode evaluation(String type, String user, AccessAttributes access) {
        ObjectNode evaluation = AuthZenDecider.JSON.createObjectNode();
        evaluation.putObject("subject").put("type", type).put("id", user);
        ObjectNode action = evaluation.putObject("action");
        ObjectNode resource = evaluation.putObject("resource");
        switch (access) {
            case NonResourceAttributes path -> {
                action.put("name", path.verb());
                resource.put("type", "path").put("id", path.path());
            }
            case ResourceAttributes object -> {
                action.put("name", object.verb());
                resource.put(
                                "type",
                                object.resource()
                                        + (object.group().isEmpty() ? "" : "." + object.group())
                                        + (object.subresource().isEmpty() ? "" : "/" + object.subresource()))
                        .put("id", (object.namespace().isEmpty() ? "" : object.namespace() + "/") + object.name());
            }
        }
        return evaluation;
    }
}
