package io.plat.tests.load;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;

/**
 * Cost of authorization in apiserver-lite: CPU time of a SubjectAccessReview and of an authorized get with 10 to 100,000 bindings, of a
 * client with a token instead of a certificate, and the additional time of a request for the webhook and for auditing. Run it as a program,
 * with the length of a round in seconds (2) and {@code bindings}, {@code webhook} or {@code audit} for one part.
 *
 * <p>Compared variants alternate in rounds; a result is the median of the rounds after warm-up. An additional latency is the median of the
 * differences of pairs of rounds.
 */
public final class AuthorizationLoad {
    private static final int[] SIZES = {10, 1_000, 10_000, 100_000};
    private static final int WARM_UP = 8;
    private static final int BUSY = 8;
    private static final int ROUNDS = 15;
    private static final int COUNTED = 13;

    /** Number of pairs of rounds for a median difference of latencies; their rounds are shorter by this factor. */
    private static final int PAIRS = 31;

    private static final double SHORTER = 4;

    private static final String NAMESPACE = "kept";
    private static final String SETTINGS = "/api/v1/namespaces/" + NAMESPACE + "/configmaps/settings";
    private static final String REVIEWS = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

    private final TestPki pki;
    private final Path directory;
    private final HttpsClient admin;
    private final double seconds;

    /** A measured request, with its connections. */
    private record Measured(String name, Target target, SSLContext tls, int connections, Request request) {}

    private AuthorizationLoad(TestPki pki, Path directory, HttpsClient admin, double seconds) {
        this.pki = pki;
        this.directory = directory;
        this.admin = admin;
        this.seconds = seconds;
    }

    /** Prints the tables. */
    public static void main(String... arguments) throws Exception {
        double seconds = arguments.length > 0 ? Double.parseDouble(arguments[0]) : 2;
        String only = arguments.length > 1 ? arguments[1] : "";
        Path directory = Files.createTempDirectory("plat-load");
        try (TestPki pki = TestPki.create()
                        .client("admin", "system:masters")
                        .client("load")
                        .client("apiserver-lite");
                HttpsClient admin = HttpsClient.of(pki, "admin")) {
            var load = new AuthorizationLoad(pki, directory, admin, seconds);
            if (Set.of("", "bindings").contains(only)) {
                load.bindings();
            }
            if (Set.of("", "webhook").contains(only)) {
                load.webhook();
            }
            if (Set.of("", "audit").contains(only)) {
                load.audit();
            }
        } finally {
            Directories.delete(directory);
        }
    }

    private static void print(String format, Object... values) {
        System.out.printf(Locale.ROOT, format + "%n", values);
    }

    /** Role objects with various numbers of bindings, and both kinds of credentials. */
    private void bindings() throws Exception {
        List<ApiServerTarget> servers = new ArrayList<>();
        try {
            List<Measured> gets = new ArrayList<>();
            List<Measured> reviews = new ArrayList<>();
            SSLContext tls = pki.tls("load");
            for (int size : SIZES) {
                ApiServerTarget server = ApiServerTarget.start(pki, directory.resolve("data-" + size));
                servers.add(server);
                server.allow(admin, "load", NAMESPACE);
                allowReviews(server);
                settings(server);
                bind(server, size);
                gets.add(new Measured("get, " + size + " bindings", server, tls, BUSY, get()));
                reviews.add(new Measured("review, " + size + " bindings", server, tls, BUSY, review(size / 2)));
            }
            ApiServerTarget first = servers.getFirst();
            String token = token(first);
            gets.add(new Measured(
                    "get with a token", first, pki.tls(null), BUSY, Request.withToken(token, "GET " + SETTINGS)));
            print("%s", Rounds.HEAD);
            spread("a review (target 80)", sideBySide(reviews));
            List<Rounds.Figures> got = sideBySide(gets);
            spread("an authorized get", got.subList(0, SIZES.length));
            print(
                    "a token in place of a certificate: %.2f of its CPU time",
                    got.getLast().cpuMicros() / got.getFirst().cpuMicros());
        } finally {
            servers.forEach(ApiServerTarget::close);
        }
    }

    /** A get without a webhook, with an uncached and with a cached decision. */
    private void webhook() throws Exception {
        Path roles = directory.resolve("roles.yaml");
        Files.writeString(roles, """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: reader, namespace: kept}
                rules: [{apiGroups: [""], resources: [configmaps], verbs: [get]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: reader, namespace: kept}
                subjects: [{kind: User, name: load, apiGroup: rbac.authorization.k8s.io}]
                roleRef: {kind: Role, name: reader, apiGroup: rbac.authorization.k8s.io}
                """);
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=RBAC", "--authorization-rbac-path=" + roles));
        try (RunningServer decider = RunningServer.start(Program.DECIDER, flags)) {
            Path config = ClientFiles.write(pki, "webhook.conf", decider.at("/authorize"), "apiserver-lite");
            String[] delegating = {
                "--authorization-mode=Webhook",
                "--authorization-webhook-config-file=" + config,
                "--runtime-config=authorization.plat.io/v1beta1=true"
            };
            String[] uncachedDelegating = Stream.concat(
                            Arrays.stream(delegating), Stream.of("--authorization-webhook-cache-authorized-ttl=0s"))
                    .toArray(String[]::new);
            SSLContext tls = pki.tls("load");
            try (ApiServerTarget open =
                            ApiServerTarget.start(pki, directory.resolve("open"), "--authorization-mode=AlwaysAllow");
                    ApiServerTarget cached = ApiServerTarget.start(pki, directory.resolve("cached"), delegating);
                    ApiServerTarget uncached =
                            ApiServerTarget.start(pki, directory.resolve("uncached"), uncachedDelegating)) {
                List<Measured> gets = new ArrayList<>();
                for (ApiServerTarget server : List.of(open, cached, uncached)) {
                    server.made(admin, "/api/v1/namespaces", """
                            {"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kept"}}""");
                    settings(server);
                }
                gets.add(new Measured("get, AlwaysAllow", open, tls, 1, get()));
                gets.add(new Measured("get, Webhook, cached", cached, tls, 1, get()));
                gets.add(new Measured("get, Webhook, uncached", uncached, tls, 1, get()));
                List<List<Rounds.Figures>> rounds = paired(gets);
                print(
                        "Webhook mode adds at p50: %s us cached (target 5), %s us uncached (target 150)",
                        added(rounds, 1), added(rounds, 2));
            }
        }
    }

    /** A get and an update with no audit, and with different levels. */
    private void audit() throws Exception {
        List<String> kinds = List.of("no audit", "Metadata, batch", "Metadata, blocking", "RequestResponse, batch");
        List<ApiServerTarget> servers = new ArrayList<>();
        try {
            List<Measured> gets = new ArrayList<>();
            List<Measured> updates = new ArrayList<>();
            SSLContext tls = pki.tls("load");
            for (String kind : kinds) {
                ApiServerTarget server = ApiServerTarget.start(pki, directory.resolve("data " + kind), audited(kind));
                servers.add(server);
                server.allow(admin, "load", NAMESPACE);
                settings(server);
                gets.add(new Measured("get, " + kind, server, tls, BUSY, get()));
                updates.add(new Measured("update, " + kind, server, tls, BUSY, update()));
            }
            print("%s", Rounds.HEAD);
            added(kinds, sideBySide(gets));
            added(kinds, sideBySide(updates));
        } finally {
            servers.forEach(ApiServerTarget::close);
        }
    }

    private static void added(List<String> kinds, List<Rounds.Figures> figures) {
        for (int i = 1; i < kinds.size(); i++) {
            print(
                    "%s adds %.1f us of CPU time",
                    kinds.get(i),
                    figures.get(i).cpuMicros() - figures.getFirst().cpuMicros());
        }
    }

    private String[] audited(String kind) throws IOException {
        List<String> flags = new ArrayList<>(
                List.of("--authorization-mode=RBAC", "--runtime-config=rbac.authorization.plat.io/v1alpha1=true"));
        String[] words = kind.split(", ", -1);
        if (words.length == 2) {
            Path policy = Files.writeString(
                    directory.resolve(words[0] + ".yaml"),
                    "apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: "
                            + words[0] + "}]\n");
            flags.addAll(List.of(
                    "--audit-policy-file=" + policy,
                    "--audit-log-path=" + directory.resolve(kind + ".log"),
                    "--audit-log-mode=" + words[1],
                    "--audit-log-maxbackup=1"));
        }
        return flags.toArray(String[]::new);
    }

    private static Request update() {
        return Request.of(
                "PUT " + SETTINGS, "application/json", """
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"},"data":{"colour":"blue","filler":"%s",\
                "number":"%s"}}""".formatted("x".repeat(900), Request.SERIAL), () -> 0);
    }

    /** Many short alternating rounds: other load is similar in successive rounds, whose differences are measured. */
    private List<List<Rounds.Figures>> paired(List<Measured> all) throws Exception {
        for (Measured one : all) {
            measure(one, BUSY, WARM_UP * seconds);
            measure(one, one.connections(), WARM_UP * seconds);
        }
        List<List<Rounds.Figures>> rounds = new ArrayList<>();
        for (int round = 0; round < PAIRS; round++) {
            List<Rounds.Figures> figures = new ArrayList<>();
            for (Measured one : all) {
                figures.add(measure(one, one.connections(), seconds / SHORTER));
            }
            rounds.add(figures);
        }
        for (int i = 0; i < all.size(); i++) {
            int which = i;
            Rounds.Figures middle = rounds.stream()
                    .map(round -> round.get(which))
                    .sorted(Comparator.comparingDouble(AuthorizationLoad::p50))
                    .toList()
                    .get(PAIRS / 2);
            print("%s", Rounds.line(all.get(i).name(), all.get(i).connections(), middle, ""));
        }
        return rounds;
    }

    /** Returns the median and quartiles of the additional time compared with the first one. */
    private static String added(List<List<Rounds.Figures>> rounds, int which) {
        double[] micros = rounds.stream()
                .mapToDouble(round -> p50(round.get(which)) - p50(round.getFirst()))
                .sorted()
                .toArray();
        return String.format(
                Locale.ROOT,
                "%.1f (%.1f to %.1f)",
                micros[micros.length / 2],
                micros[micros.length / 4],
                micros[micros.length * 3 / 4]);
    }

    private static double p50(Rounds.Figures figures) {
        return figures.round().micros(0.5);
    }

    /** Returns the median of the measured rounds of each, in order. */
    private List<Rounds.Figures> sideBySide(List<Measured> all) throws Exception {
        for (Measured one : all) {
            measure(one, BUSY, WARM_UP * seconds);
        }
        List<List<Rounds.Figures>> rounds = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            List<Rounds.Figures> figures = new ArrayList<>();
            for (Measured one : all) {
                figures.add(measure(one, one.connections(), seconds));
            }
            rounds.add(figures);
        }
        List<Rounds.Figures> middle = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            int which = i;
            middle.add(rounds.stream()
                    .skip(ROUNDS - COUNTED)
                    .map(round -> round.get(which))
                    .sorted(Comparator.comparingDouble(Rounds.Figures::cpuMicros))
                    .toList()
                    .get(COUNTED / 2));
            print("%s", Rounds.line(all.get(i).name(), all.get(i).connections(), middle.get(i), ""));
        }
        return middle;
    }

    private static Rounds.Figures measure(Measured one, int connections, double length) throws Exception {
        return new Rounds(one.tls(), length).measure(one.target(), connections, one.request(), length);
    }

    private static void spread(String what, List<Rounds.Figures> figures) {
        double[] micros =
                figures.stream().mapToDouble(Rounds.Figures::cpuMicros).sorted().toArray();
        double most = micros[micros.length - 1];
        print(
                "%s costs at most %.1f us of CPU time, %.2f times its minimum (target 1.2)",
                what, most, most / micros[0]);
    }

    private static Request get() {
        return Request.of("GET " + SETTINGS, "", "", () -> 0);
    }

    private static Request review(int user) {
        return Request.of("POST " + REVIEWS, "application/json", """
                {"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"user-##########",\
                "groups":["system:authenticated"],"resourceAttributes":{"namespace":"kept","verb":"get","version":"v1",\
                "resource":"configmaps","name":"settings"}}}""", () -> user);
    }

    private void settings(ApiServerTarget server) throws IOException {
        server.made(admin, "/api/v1/namespaces/" + NAMESPACE + "/configmaps", """
                {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"},"data":{"colour":"blue"}}""");
    }

    private void allowReviews(ApiServerTarget server) throws IOException {
        String path = "/apis/rbac.authorization.k8s.io/v1/";
        server.made(admin, path + "clusterroles", """
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"asks"},
                 "rules":[{"apiGroups":["authorization.k8s.io"],"resources":["subjectaccessreviews"],"verbs":["create"]}]}""");
        server.made(admin, path + "clusterrolebindings", """
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"asks"},
                 "subjects":[{"kind":"User","name":"load","apiGroup":"rbac.authorization.k8s.io"}],
                 "roleRef":{"kind":"ClusterRole","name":"asks","apiGroup":"rbac.authorization.k8s.io"}}""");
    }

    /** Binds this many users separately to the role that reads config maps. */
    private void bind(ApiServerTarget server, int bindings) throws Exception {
        AtomicLong next = new AtomicLong();
        Request create = Request.of(
                "POST /apis/rbac.authorization.k8s.io/v1/namespaces/" + NAMESPACE + "/rolebindings",
                "application/json",
                """
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"name":"b-##########"},\
                "subjects":[{"kind":"User","name":"user-##########","apiGroup":"rbac.authorization.k8s.io"}],\
                "roleRef":{"kind":"Role","name":"all","apiGroup":"rbac.authorization.k8s.io"}}""",
                next::getAndIncrement);
        int connections = Math.min(40, bindings / 10);
        try (Connections open = new Connections(pki.tls("admin"), server.port(), connections, create)) {
            open.each(bindings / connections);
        }
    }

    /** Returns a token of a service account with the permissions of the measured user. */
    private String token(ApiServerTarget server) throws IOException {
        String accounts = "/api/v1/namespaces/" + NAMESPACE + "/serviceaccounts";
        server.made(admin, accounts, """
                {"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"load"}}""");
        server.made(admin, "/apis/rbac.authorization.k8s.io/v1/namespaces/" + NAMESPACE + "/rolebindings", """
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"name":"account"},
                 "subjects":[{"kind":"ServiceAccount","name":"load","namespace":"kept"}],
                 "roleRef":{"kind":"Role","name":"all","apiGroup":"rbac.authorization.k8s.io"}}""");
        String answer =
                admin.post(server.server().at(accounts + "/load/token"), """
                {"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"expirationSeconds":3600}}""").body();
        return new ObjectMapper().readTree(answer).at("/status/token").asText();
    }
}
