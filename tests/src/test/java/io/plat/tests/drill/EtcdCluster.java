package io.plat.tests.drill;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plat.tests.process.Directories;
import io.plat.tests.process.EtcdProcess;
import io.plat.tests.process.ForeignServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Members of one etcd, connected by links: one per direction, as each can fail separately. */
final class EtcdCluster implements AutoCloseable {
    private final Path directory;
    private final List<Member> members = new ArrayList<>();

    private static final class Member {
        final int clients = ForeignServer.freePort();
        final int peers = ForeignServer.freePort();
        final List<Link> fromOthers;

        @Nullable
        Process process;

        @Nullable
        ForwardedPort line;

        Member(int size) throws IOException {
            fromOthers = IntStream.range(0, size).mapToObj(i -> new Link()).toList();
        }
    }

    private EtcdCluster(Path directory, int size) throws IOException {
        this.directory = directory;
        for (int i = 0; i < size; i++) {
            var member = new Member(size);
            member.line = ForwardedPort.open(socket -> routes(member, socket));
            members.add(member);
        }
    }

    /** Starts one; skips the test if etcd is missing. */
    static EtcdCluster start(int size) {
        EtcdProcess.assumeInstalled();
        EtcdCluster cluster = made(size);
        try {
            for (int i = 0; i < size; i++) {
                cluster.spawn(i);
            }
            for (int i = 0; i < size; i++) {
                cluster.awaitMember(i);
            }
            return cluster;
        } catch (IOException e) {
            cluster.close();
            throw new UncheckedIOException(e);
        }
    }

    private static EtcdCluster made(int size) {
        try {
            return new EtcdCluster(Files.createTempDirectory("plat-drill-etcd"), size);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the link of a connection, by the process that opened it. */
    private List<ForwardedPort.Route> routes(Member to, Socket socket) {
        OptionalLong owner = SocketOwner.of(
                socket.getPort(),
                socket.getLocalPort(),
                IntStream.range(0, members.size()).mapToObj(this::pid).toList());
        for (int i = 0; i < members.size(); i++) {
            if (owner.isPresent() && pid(i) == owner.getAsLong()) {
                return List.of(new ForwardedPort.Route(to.fromOthers.get(i), () -> to.peers));
            }
        }
        return List.of();
    }

    private static String peer(Member member) {
        ForwardedPort line = member.line;
        return "http://127.0.0.1:" + (line == null ? 0 : line.port());
    }

    private static URI clients(Member member) {
        return URI.create("http://127.0.0.1:" + member.clients);
    }

    private void spawn(int i) throws IOException {
        Member member = members.get(i);
        String all = IntStream.range(0, members.size())
                .mapToObj(m -> name(m) + "=" + peer(members.get(m)))
                .collect(Collectors.joining(","));
        member.process = EtcdProcess.start(
                directory,
                name(i),
                clients(member),
                member.peers,
                peer(member),
                all,
                // Processes are killed, not machines: written data survives.
                "--unsafe-no-fsync=true",
                // The default since 3.5. With 3.4, a returning member triggers an election, which may take 5 s.
                "--pre-vote=true");
    }

    private static String name(int i) {
        return "m" + i;
    }

    private void awaitMember(int i) throws IOException {
        EtcdProcess.awaitServing(directory, name(i), clients(members.get(i)), process(i));
    }

    private Process process(int i) {
        Process process = members.get(i).process;
        if (process == null) {
            throw new IllegalStateException("member " + i + " was not started");
        }
        return process;
    }

    int size() {
        return members.size();
    }

    int clientPort(int i) {
        return members.get(i).clients;
    }

    /** Returns a member that does not lead: without it, the others need no election. */
    int follower() throws IOException {
        for (int i = 0; i < members.size(); i++) {
            JsonNode status = status(i);
            if (!status.get("leader").equals(status.get("header").get("member_id"))) {
                return i;
            }
        }
        throw new IllegalStateException("every member leads");
    }

    private JsonNode status(int i) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(clients(members.get(i)).resolve("/v3/maintenance/status"))
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return new ObjectMapper()
                    .readTree(client.send(request, HttpResponse.BodyHandlers.ofString())
                            .body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    long pid(int i) {
        Process process = members.get(i).process;
        return process == null ? -1 : process.pid();
    }

    void kill(int i) {
        EtcdProcess.kill(process(i));
    }

    void startAgain(int i) {
        try {
            spawn(i);
            awaitMember(i);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the links between a member and each other one, in both directions. */
    List<Link> around(int i) {
        var links = new ArrayList<Link>();
        for (int other = 0; other < members.size(); other++) {
            if (other != i) {
                links.add(members.get(i).fromOthers.get(other));
                links.add(members.get(other).fromOthers.get(i));
            }
        }
        return links;
    }

    @Override
    public void close() {
        for (Member member : members) {
            Process process = member.process;
            if (process != null) {
                EtcdProcess.kill(process);
            }
            if (member.line != null) {
                member.line.close();
            }
        }
        Directories.delete(directory);
    }
}
