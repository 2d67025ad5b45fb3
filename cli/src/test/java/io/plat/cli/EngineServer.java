package io.plat.cli;

import io.plat.cli.ScriptedServer.RecordedRequest;
import io.plat.cli.ScriptedServer.Reply;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.explain.ExplainedReview;
import io.plat.engine.explain.Explainer;
import io.plat.engine.policy.AuthorizationOptions;
import io.plat.engine.policy.PolicyLoader;
import io.plat.review.AccessReview;
import io.plat.review.Attributes;
import io.plat.review.ReviewKind;
import io.plat.review.ReviewStatus;
import io.plat.review.ReviewVersion;
import io.plat.review.UserInfo;
import io.plat.review.codec.Expectation;
import io.plat.review.codec.ReviewCodec;
import io.plat.review.status.StatusException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * A server that decides by role objects with the real engine, and either explains, like this project's servers, or only serves role
 * objects, like kube-apiserver. Its role objects are also in a file, so that results can be compared.
 */
public final class EngineServer implements AutoCloseable {
    private static final String ME =
            "{\"kind\":\"SelfSubjectReview\",\"apiVersion\":\"authentication.k8s.io/v1\",\"status\":{\"userInfo\":{\"username\":"
                    + "\"alice\",\"groups\":[\"system:authenticated\"]}}}";
    private static final String API = "rbac.authorization.k8s.io/v1";

    private final Map<String, List<String>> objects = new TreeMap<>();
    private final Set<String> forbidden = ConcurrentHashMap.newKeySet();
    private final Path file;
    private final ScriptedServer server;
    private volatile boolean explains = true;
    private volatile boolean decidesForOthers = true;
    private volatile boolean overruled;

    /** Creates a server without role objects, with certificates and its file in a directory. */
    public EngineServer(Path directory) throws Exception {
        this.file = directory.resolve("served-roles.json");
        for (String resource : List.of("roles", "clusterroles", "rolebindings", "clusterrolebindings")) {
            objects.put(resource, new ArrayList<>());
        }
        server = new ScriptedServer(directory, this::answer);
    }

    /** Adds a role object of a kind, with members in addition to apiVersion and kind. */
    public EngineServer with(String kind, String members) throws IOException {
        objects.computeIfAbsent(kind.toLowerCase(Locale.ROOT) + "s", _ -> new ArrayList<>())
                .add("{\"apiVersion\":\"" + API + "\",\"kind\":\"" + kind + "\"," + members + "}");
        Files.writeString(
                file,
                "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":["
                        + String.join(
                                ",",
                                objects.values().stream().flatMap(List::stream).toList()) + "]}");
        return this;
    }

    /** Returns the flag that reads the same objects from the file. */
    public String flag() {
        return "--authorization-rbac-path=" + file;
    }

    /** Runs plat with the same objects from the file, and words that are separated by single spaces. */
    public CommandRun offline(String words) {
        return CommandRun.plat(
                Stream.concat(Stream.of(words.split(" ")), Stream.of(flag())).toArray(String[]::new));
    }

    /** Returns the underlying scripted server. */
    public ScriptedServer server() {
        return server;
    }

    /** Restores the initial behaviour. */
    public void reset() {
        explains = true;
        decidesForOthers = true;
        overruled = false;
        forbidden.clear();
        server.requests();
    }

    /** Disables the explaining types. */
    public void actAsKubeApiserver() {
        explains = false;
    }

    /** Refuses reviews about other users. */
    public void refuseReviews() {
        decidesForOthers = false;
    }

    /** Inverts all decisions. */
    public void overrule() {
        overruled = true;
    }

    /** Hides the objects of a resource. */
    public void forbid(String resource) {
        forbidden.add(resource);
    }

    private Reply answer(RecordedRequest requested) {
        String last = requested.target().substring(requested.target().lastIndexOf('/') + 1);
        try {
            if (last.equals("selfsubjectreviews")) {
                return Reply.created(ME);
            }
            for (ReviewKind kind : ReviewKind.values()) {
                if (last.equals(kind.resource())) {
                    return review(kind, requested.body());
                }
            }
            return list(last.replaceAll("[?].*", ""));
        } catch (StatusException e) {
            return Reply.refusal(e.status().code(), "Invalid", "refused");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private Reply review(ReviewKind kind, String body) throws Exception {
        boolean explaining = kind == ReviewKind.ACCESS_EXPLANATION || kind == ReviewKind.SUBJECT_LISTING;
        if (explaining && !explains) {
            return Reply.refusal(404, "NotFound", "the server could not find the requested resource");
        }
        if (kind == ReviewKind.SUBJECT_ACCESS_REVIEW && !decidesForOthers) {
            return Reply.refusal(403, "Forbidden", "reviews are forbidden");
        }
        AccessReview requested = new ReviewCodec()
                .decode(body.getBytes(StandardCharsets.UTF_8), Expectation.at(ReviewVersion.K8S_V1, kind));
        Authorizer authorizer = PolicyLoader.of(
                        new AuthorizationOptions(List.of("RBAC"), null, List.of(file), null, "", null, false),
                        Map.of(),
                        InstantSource.system())
                .load()
                .authorizer();
        if (!explaining) {
            Attributes attributes = requested.attributes(new UserInfo("alice", List.of("system:authenticated")));
            boolean allowed = authorizer.authorize(attributes) instanceof Decision.Allow != overruled;
            byte[] answer =
                    new ReviewCodec().encodeResponse(requested, ReviewStatus.of(allowed, "decided by the server"));
            return Reply.created(new String(answer, StandardCharsets.UTF_8));
        }
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        switch (ExplainedReview.of(requested, Explainer.of("the policy", authorizer))) {
            case ExplainedReview.Answered(ExplainedReview.Body explanation) -> explanation.writeTo(answer);
            case ExplainedReview.Undecided undecided -> throw new AssertionError(undecided);
        }
        return Reply.created(answer.toString(StandardCharsets.UTF_8));
    }

    private Reply list(String resource) {
        List<String> items = objects.get(resource);
        if (items == null) {
            return Reply.refusal(404, "NotFound", "the server could not find the requested resource");
        }
        if (forbidden.contains(resource)) {
            return Reply.refusal(403, "Forbidden", resource + " is forbidden");
        }
        String kind = items.isEmpty() ? "" : items.getFirst().replaceAll(".*?\"kind\":\"([A-Za-z]+)\".*", "$1");
        String list = switch (resource) {
            case "roles" -> "Role";
            case "clusterroles" -> "ClusterRole";
            case "rolebindings" -> "RoleBinding";
            default -> "ClusterRoleBinding";
        };
        if (!kind.isEmpty() && !kind.equals(list)) {
            throw new AssertionError(kind);
        }
        return new Reply(
                200,
                "{\"kind\":\"" + list + "List\",\"apiVersion\":\"" + API
                        + "\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[" + String.join(",", items) + "]}");
    }

    @Override
    public void close() {
        server.close();
    }
}
