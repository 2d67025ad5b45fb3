package io.plat.cli.replay;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Grant;
import io.plat.review.Attributes;
import io.plat.review.source.BoundedLines;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Repetition of a log's requests with a policy, and its results. Requests repeat, so most decisions are cached. For a single use. */
final class Replay {
    /** Maximum number of cached requests. */
    private static final int REMEMBERED = 200_000;

    /** Maximum number of differences that are listed; others are only counted. */
    static final int MAX_FLIPS = 100_000;

    private static final int MAX_MALFORMED = 10;

    /** The requests with another decision, the first ones. */
    final List<LoggedDecision> flips = new ArrayList<>();

    /** All grants that allowed a request. */
    final Set<Grant> used = new HashSet<>();

    /** The first malformed lines, each as a message. */
    final List<String> malformed = new ArrayList<>();

    /** Number of lines with a decision. */
    long requests;

    /** Number of requests with another decision. */
    long flipped;

    long malformedLines;
    private final Authorizer policy;
    private final @Nullable RoleLearner learning;
    private final Map<Attributes, Decision> decisions = new LinkedHashMap<>(1024, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Attributes, Decision> eldest) {
            return size() > REMEMBERED;
        }
    };
    private long lines;

    /**
     * Creates a replay.
     *
     * @param policy decides again
     * @param learning receives the allowed requests, null for none
     */
    Replay(Authorizer policy, @Nullable RoleLearner learning) {
        this.policy = policy;
        this.learning = learning;
    }

    /**
     * Decides every line again.
     *
     * @param progress receives the number of processed bytes, from time to time
     */
    void run(BoundedLines log, LongConsumer progress) throws IOException {
        for (byte[] line = log.next(); line != null; line = log.next()) {
            lines++;
            boolean empty = line.length == 0 || (line.length == 1 && line[0] == '\r');
            if (!empty) {
                line(line);
            }
            if ((lines & 0x3FF) == 0) {
                progress.accept(log.bytes());
            }
        }
    }

    private void line(byte[] line) {
        LoggedDecision logged;
        try {
            logged = LogLine.read(line, lines);
        } catch (IOException e) {
            malformedLines++;
            if (malformed.size() < MAX_MALFORMED) {
                malformed.add("line " + lines + " is not a log line");
            }
            return;
        }
        if (logged == null) {
            return;
        }
        requests++;
        if (learning != null && logged.allowed()) {
            learning.add(logged.request());
        }
        Decision decision = decisions.computeIfAbsent(logged.request(), this::decide);
        boolean now = decision instanceof Decision.Allow;
        if (!(decision instanceof Decision.Undecided) && logged.allowed() != now) {
            flipped++;
            if (flips.size() < MAX_FLIPS) {
                flips.add(logged);
            }
        }
    }

    private Decision decide(Attributes request) {
        Decision decision = policy.authorize(request);
        if (decision instanceof Decision.Allow allow) {
            used.add(allow.grant());
        }
        return decision;
    }

    /**
     * A decision in a log.
     *
     * @param line its line number, from 1
     */
    record LoggedDecision(long line, Attributes request, boolean allowed) {}
}
