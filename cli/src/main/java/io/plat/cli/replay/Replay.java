package io.plat.cli.replay;

import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.engine.Grant;
import io.plat.review.Attributes;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Repetition of a log's requests with a policy. Requests repeat, so most decisions are cached. For a single use. */
final class Replay {
    /** Maximum number of cached requests. */
    private static final int REMEMBERED = 200_000;

    /** Maximum number of differences that are listed; others are only counted. */
    static final int MAX_FLIPS = 100_000;

    private static final int MAX_MALFORMED = 10;

    private final Authorizer policy;
    private final List<LoggedDecision> flips = new ArrayList<>();
    private final Set<Grant> used = new HashSet<>();
    private final List<String> malformed = new ArrayList<>();
    private final @Nullable RoleLearner learning;
    private final Map<Attributes, Decision> decisions = new LinkedHashMap<>(1024, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Attributes, Decision> eldest) {
            return size() > REMEMBERED;
        }
    };

    private long lines;
    private long request;
    private long flipped;
    private long malformedLines;

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
    void run(LogLine.LogStream log, LongConsumer progress) throws IOException {
        for (byte[] line = log.next(); line != null; line = log.next()) {
            lines++;
            if (line.length > 0) {
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
            logged = LogLine.read(line);
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
        request++;
        if (learning != null && logged.allowed()) {
            learning.add(logged.request());
        }
        Decision decision = decision(logged.request());
        boolean now = decision instanceof Decision.Allow;
        if (!(decision instanceof Decision.Undecided) && logged.allowed() != now) {
            flipped++;
            if (flips.size() < MAX_FLIPS) {
                flips.add(logged.at(lines));
            }
        }
    }

    private Decision decision(Attributes request) {
        Decision known = decisions.get(request);
        if (known == null) {
            known = policy.authorize(request);
            decisions.put(request, known);
            if (known instanceof Decision.Allow allow) {
                used.add(allow.grant());
            }
        }
        return known;
    }

    long requests() {
        return request;
    }

    /** Returns the number of requests with another decision; {@link #flips} has the first ones. */
    long flipped() {
        return flipped;
    }

    List<LoggedDecision> flips() {
        return flips;
    }

    /** Returns all grants that allowed a request. */
    Set<Grant> used() {
        return used;
    }

    long malformedLines() {
        return malformedLines;
    }

    /** Returns the first malformed lines. */
    List<String> malformed() {
        return malformed;
    }

    /**
     * A decision in a log.
     *
     * @param line its line number, from 1; 0 if irrelevant
     */
    record LoggedDecision(long line, Attributes request, boolean allowed) {
        LoggedDecision at(long number) {
            return new LoggedDecision(number, request, allowed);
        }
    }
}
