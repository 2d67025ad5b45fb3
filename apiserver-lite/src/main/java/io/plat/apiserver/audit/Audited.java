package io.plat.apiserver.audit;

import io.plat.apiserver.audit.AuditEvent.Judged;
import io.plat.apiserver.audit.AuditEvent.Outcome;
import io.plat.apiserver.audit.AuditEvent.Payload;
import io.plat.apiserver.audit.policy.Level;
import io.plat.apiserver.audit.policy.Stage;
import io.plat.apiserver.audit.policy.Verdict;
import io.plat.engine.Decision;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.Status.Details;
import io.plat.review.status.StatusCodec;
import io.plat.review.status.StatusReason;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One request that is recorded: gathers what its events say, and records them stage by stage. Whoever ends the request says so here, and
 * once only counts: the answer, or the connection's end. Safe for any number of threads.
 */
public final class Audited {
    private static final int MOST_AGAIN = 3;

    private final Audit audit;
    private final AuditedRequest request;
    private final Verdict verdict;
    private @Nullable UserInfo impersonated;
    private @Nullable Judged judged;
    private @Nullable Outcome outcome;
    private @Nullable Details details;
    private final Map<String, String> notes = new HashMap<>();
    private Payload sent = Payload.NONE;
    private Payload answered = Payload.NONE;
    private boolean lasting;
    private boolean started;
    private boolean over;

    Audited(Audit audit, AuditedRequest request, Verdict verdict) {
        this.audit = audit;
        this.request = request;
        this.verdict = verdict;
    }

    /** Records that the request was received; returns false where it may not go on, as that could not be recorded. */
    synchronized boolean received() {
        return recorded(Stage.REQUEST_RECEIVED, true);
    }

    /** It was refused before it was known who asks: records the answer, at one stage only. */
    synchronized void refused(Status status, Stage stage) {
        byte[] json = StatusCodec.encode(status);
        answered(json.length, out -> out.write(json));
        outcome = new Outcome.Failed(status);
        over = true;
        recorded(stage, false);
    }

    /** Has its further events say one thing more. */
    public synchronized void note(String annotation, String value) {
        notes.put(annotation, value);
    }

    /** What is being answered is a Status that says that something was done. */
    public synchronized void succeeded(Details done) {
        details = done;
    }

    /** The request is made as somebody else than who asks. */
    public synchronized void impersonated(UserInfo effective) {
        impersonated = effective;
    }

    /**
     * Has it decided, and notes by which revision of the policy: once more where another came into force meanwhile, so that it was one of
     * them and the event names that one. Where revisions come faster than decisions are made, it names the newest.
     *
     * @param deciding makes the decision; null where it can't yet
     */
    public <D extends @Nullable Decision> D decided(Supplier<D> deciding) {
        PolicyRevision before = audit.deciding().revision().get();
        D decision = deciding.get();
        PolicyRevision now = audit.deciding().revision().get();
        for (int again = 0; again < MOST_AGAIN && !now.equals(before); again++) {
            before = now;
            decision = deciding.get();
            now = audit.deciding().revision().get();
        }
        if (decision != null) {
            judged(new Judged(decision, audit.deciding().modes(), now));
        }
        return decision;
    }

    private synchronized void judged(Judged known) {
        judged = known;
    }

    /** The object, or patch, that was sent, as JSON; not to be changed. */
    public synchronized void sent(byte[] json) {
        sent = json.length > Audit.LARGEST ? Payload.TOO_LARGE : new Payload(json, false);
    }

    /** An object that can be written as JSON. */
    @FunctionalInterface
    public interface Answer {
        /**
         * Writes all of it.
         *
         * @throws IOException where the stream does
         */
        void writeTo(OutputStream out) throws IOException;
    }

    /** Whether {@link #answered} is of any use. */
    public boolean wantsAnswer() {
        return verdict.level().includes(Level.REQUEST_RESPONSE);
    }

    /**
     * The object that is answered.
     *
     * @param size how many bytes it has; below zero where that is not known
     */
    public synchronized void answered(long size, Answer json) {
        if (!wantsAnswer()) {
            return;
        }
        if (size > Audit.LARGEST) {
            answered = Payload.TOO_LARGE;
            return;
        }
        BoundedOutput bytes = new BoundedOutput();
        try {
            json.writeTo(bytes);
            answered = new Payload(bytes.toByteArray(), false);
        } catch (IOException full) {
            answered = Payload.TOO_LARGE;
        }
    }

    /** The answer lasts: there are events of its beginning and of its end. */
    public synchronized void lasts() {
        lasting = true;
    }

    /** It is being answered with this HTTP status code; where the answer lasts, that is recorded. */
    public synchronized void answering(int code) {
        if (!over) {
            outcome = details == null ? new Outcome.Answered(code) : new Outcome.Succeeded(code, details);
            start();
        }
    }

    /** It is being answered with a failure. */
    public synchronized void failing(Status status) {
        if (!over) {
            outcome = new Outcome.Failed(status);
            start();
        }
    }

    private void start() {
        if (lasting && !started) {
            started = true;
            recorded(Stage.RESPONSE_STARTED, true);
        }
    }

    /** It is answered: waits until that is recorded, where the log is one that is waited for. */
    public synchronized void complete() {
        complete(true);
    }

    /** The request is over, if nobody has said so before. Never waits. */
    public synchronized void ended() {
        complete(false);
    }

    private void complete(boolean waits) {
        if (over) {
            return;
        }
        if (outcome == null) {
            outcome = new Outcome.Closed();
            start();
        }
        over = true;
        recorded(Stage.RESPONSE_COMPLETE, waits);
    }

    /** The server failed on it, by a defect of this kind. */
    public synchronized void panicked(Throwable defect) {
        if (over) {
            return;
        }
        over = true;
        outcome = new Outcome.Failed(Status.of(
                StatusReason.INTERNAL_ERROR,
                "APIServer panic'd: " + defect.getClass().getName()));
        recorded(Stage.PANIC, true);
    }

    private boolean recorded(Stage stage, boolean waits) {
        if (verdict.omitted().contains(stage)) {
            return true;
        }
        boolean withSent = stage != Stage.REQUEST_RECEIVED;
        return audit.record(
                new AuditEvent(
                        request,
                        verdict,
                        stage,
                        audit.now(),
                        impersonated,
                        judged,
                        outcome,
                        withSent ? sent : Payload.NONE,
                        answered,
                        notes),
                waits);
    }

    /** Keeps what is written, and fails as soon as it is too much. */
    private static final class BoundedOutput extends OutputStream {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] more, int start, int length) throws IOException {
            if (length > Audit.LARGEST - bytes.size()) {
                throw new IOException("more than " + Audit.LARGEST + " bytes");
            }
            bytes.write(more, start, length);
        }

        byte[] toByteArray() {
            return bytes.toByteArray();
        }
    }
}
