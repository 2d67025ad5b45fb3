package io.plat.apiserver.audit;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.plat.apiserver.audit.Audit.AuditMeters;
import io.plat.apiserver.audit.Audit.Backend;
import io.plat.apiserver.audit.policy.PolicyReader;
import io.plat.http.lines.LineLog;
import io.plat.http.lines.LineLog.Batches;
import io.plat.http.lines.LineSink;
import io.plat.http.lines.Losses;
import io.plat.review.source.ProblemsException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/** Accepts events, unless it is full. */
public final class TestingBackend implements LineSink {
    /** Time of all events. */
    public static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-11-21T18:01:17.123456789Z"));

    /** Returns the meters. */
    public final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    /** Returns the policy in effect. */
    public final AtomicReference<PolicyRevision> revision = new AtomicReference<>(new PolicyRevision("r1", 0));

    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile boolean full;

    @Override
    public void write(ByteBuffer bytes) throws IOException {
        if (full) {
            throw new IOException("No space left on device");
        }
        lines.addAll(StandardCharsets.US_ASCII.decode(bytes).toString().lines().toList());
    }

    @Override
    public void close() {}

    /** Returns the written events. */
    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Sets whether writes fail. */
    public void full(boolean now) {
        full = now;
    }

    /** Returns a started audit log in blocking mode. */
    public Audit audit(Path directory, String rules, boolean strict) throws IOException, ProblemsException {
        Path policy = Files.writeString(
                directory.resolve("policy.yaml"), "apiVersion: audit.k8s.io/v1\nkind: Policy\n" + rules);
        AuditMeters meters = new AuditMeters(registry);
        Losses losses = new Losses("audit log", written -> {}, meters.errors("log"), System::nanoTime);
        LineLog.Behaviour behaviour = new LineLog.Behaviour(true, LineLog.Limits.STANDARD, Duration.ofSeconds(20));
        Backend backend = new Backend(
                new LineLog<>(new LineLog.Parts<>(behaviour, Batches.OF_FILES, new EventEncoder(true), this, losses)),
                strict);
        Audit audit = new Audit(
                PolicyReader.read(policy), List.of(backend), meters, new PolicyInEffect("Union", revision::get), CLOCK);
        audit.start();
        return audit;
    }
}
