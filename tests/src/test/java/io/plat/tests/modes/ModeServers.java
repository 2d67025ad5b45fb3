package io.plat.tests.modes;

import io.plat.tests.process.ClientFiles;
import io.plat.tests.process.Directories;
import io.plat.tests.process.HttpsClient;
import io.plat.tests.process.Program;
import io.plat.tests.process.RunningServer;
import io.plat.tests.process.TestPki;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * The two servers of a mode: one that decides by itself, and one that delegates to a decider. All have the same policy, which is changed at
 * run time; nothing is cached.
 */
final class ModeServers implements AutoCloseable {
    /** The only super user of any policy. */
    static final String SUPER_USER = "boss";

    private final TestPki pki;
    private final HttpsClient admin;
    private final PolicyFiles files;
    private final Modes modes;
    private final List<RunningServer> running = new ArrayList<>();
    private final RunningServer decider;
    private final ReviewServer own;
    private final ReviewServer delegating;
    private final RoleObjects roles;

    /**
     * Modes of each server.
     *
     * @param own modes of the server that decides by itself
     * @param delegating modes of the server that delegates, including Webhook
     * @param decider modes of the decider
     */
    record Modes(List<String> own, List<String> delegating, List<String> decider) {
        static Modes of(String mode) {
            return new Modes(List.of(mode), List.of("Webhook"), List.of(mode));
        }
    }

    ModeServers(Modes modes) throws IOException {
        this.modes = modes;
        pki = TestPki.create().client("apiserver-lite").client("admin", "system:masters");
        admin = HttpsClient.of(pki, "admin");
        files = PolicyFiles.in(pki.directory());
        decider = start(Program.DECIDER, modes.decider(), List.of());
        ClientFiles.write(pki, "webhook.conf", decider.at("/authorize"), "apiserver-lite");
        own = new ReviewServer(server(modes.own(), "own"), admin);
        delegating = new ReviewServer(server(modes.delegating(), "delegating"), admin);
        roles = new RoleObjects(own);
    }

    private RunningServer server(List<String> chosen, String name) {
        List<String> more = new ArrayList<>(List.of(
                "--data-dir=" + pki.directory().resolve(name),
                "--runtime-config=api/all=true",
                "--policy-reload=watch",
                // The cases contain all grants.
                "--authorization-rbac-default-roles=false"));
        if (chosen.contains("Webhook")) {
            more.add("--authorization-webhook-config-file=" + pki.file("webhook.conf"));
            more.add("--authorization-webhook-cache-authorized-ttl=0s");
            more.add("--authorization-webhook-cache-unauthorized-ttl=0s");
        }
        return start(Program.APISERVER_LITE, chosen, more);
    }

    private RunningServer start(Program program, List<String> chosen, List<String> more) {
        List<String> flags = new ArrayList<>(pki.serverFlags());
        flags.addAll(List.of("--secure-port=0", "--authorization-mode=" + String.join(",", chosen)));
        if (chosen.contains("ABAC")) {
            flags.add("--authorization-policy-file=" + files.lines());
        }
        if (chosen.contains("RBAC")) {
            flags.add("--authorization-rbac-super-user=" + SUPER_USER);
        }
        if (chosen.contains("RBAC") && program == Program.DECIDER) {
            flags.add("--authorization-rbac-path=" + files.manifests());
        }
        flags.addAll(more);
        RunningServer server = RunningServer.startReused(program, flags);
        running.add(server);
        return server;
    }

    /** Sets the policy of all of them, which is in effect on return. */
    void decideBy(Policy policy) throws IOException {
        String lines = policy.lines();
        if (has("ABAC")) {
            swap(
                    () -> files.lines(lines),
                    modes.own().contains("ABAC"),
                    modes.delegating().contains("ABAC"),
                    modes.decider().contains("ABAC"));
        }
        if (has("RBAC")) {
            swap(() -> files.manifests(policy.manifests()), false, false, true);
            roles.replace(policy.manifests());
        }
    }

    private boolean has(String mode) {
        return modes.own().contains(mode);
    }

    /** Changes a file and waits until it was reloaded. */
    private void swap(Change change, boolean inOwn, boolean inDelegating, boolean inDecider) throws IOException {
        String ofOwn = own.revision();
        String ofDelegating = delegating.revision();
        String ofDecider = deciderRevision();
        change.make();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(2))
                .until(() -> (!inOwn || !own.revision().equals(ofOwn))
                        && (!inDelegating || !delegating.revision().equals(ofDelegating))
                        && (!inDecider || !deciderRevision().equals(ofDecider)));
    }

    private String deciderRevision() throws IOException {
        HttpResponse<String> answer = admin.post(
                decider.at("/authorize"),
                "{\"apiVersion\":\"authorization.k8s.io/v1\",\"kind\":\"SubjectAccessReview\",\"spec\":{\"user\":\"x\","
                        + "\"nonResourceAttributes\":{\"verb\":\"get\",\"path\":\"/\"}}}");
        return answer.headers().firstValue("Policy-Revision").orElseThrow();
    }

    /** Changes a file. */
    @FunctionalInterface
    private interface Change {
        void make() throws IOException;
    }

    ReviewServer own() {
        return own;
    }

    ReviewServer delegating() {
        return delegating;
    }

    @Override
    public void close() {
        admin.close();
        running.reversed().forEach(RunningServer::close);
        Path directory = pki.directory();
        Directories.delete(directory);
    }
}
