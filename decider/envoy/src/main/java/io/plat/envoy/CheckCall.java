package io.plat.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.plat.engine.Decision;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.AnswerHeaders;
import io.plat.fronts.DecisionResponse;
import io.plat.fronts.Decisions;
import io.plat.fronts.Intake;
import io.plat.fronts.check.AnswerFields;
import io.plat.fronts.check.FrontProvider;
import io.plat.fronts.check.ProxiedRequest;
import io.plat.review.AccessAttributes;
import io.plat.review.Attributes;
import io.plat.review.ReviewStatus;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/**
 * One call: from its body to its answer. An answer allows or denies the request that the proxy asks about; without a decision the call fails, which a
 * proxy with {@code failure_mode_allow: false} takes for a denial.
 */
final class CheckCall implements Intake.Answerer, Decisions.Receiver {
    /** The largest body, in bytes, that is read on a thread that others wait for. */
    private static final int AT_ONCE = 64 << 10;

    private static final Status LATE = Status.of(StatusReason.TIMEOUT, "the deadline of the call has passed");

    private final FrontProvider.Parts parts;
    private final Intake.Exchange http;
    private @Nullable Long deadline;
    private @Nullable UserInfo user;

    CheckCall(FrontProvider.Parts parts, Intake.Exchange http) {
        this.parts = parts;
        this.http = http;
    }

    @Override
    public void received(byte[] bytes, int count) {
        if (count > AT_ONCE) {
            parts.decisions().onItsOwnThread(() -> read(bytes, count), this);
        } else {
            read(bytes, count);
        }
    }

    private void read(byte[] bytes, int count) {
        try {
            deadline = Grpc.deadline(http.request());
            ProxiedRequest asked = CheckMessages.read(Grpc.message(bytes, count));
            if (isLate()) {
                http.refuse(LATE);
            } else if (parts.check().identity().waits(asked.fields())) {
                parts.decisions().onItsOwnThread(() -> decide(asked, count), this);
            } else {
                decide(asked, count);
            }
        } catch (InvalidProtocolBufferException malformed) {
            http.refuse(Status.of(StatusReason.BAD_REQUEST, "the message is no CheckRequest of an HTTP request"));
        } catch (StatusException refused) {
            http.refuse(refused.status());
        }
    }

    private boolean isLate() {
        return deadline != null && NanoTime.isBefore(deadline, NanoTime.now());
    }

    private String id() {
        return AnswerHeaders.decisionId(http.response());
    }

    private void decide(ProxiedRequest asked, int bytes) {
        try {
            AccessAttributes access = asked.access(parts.check().paths());
            UserInfo identified = parts.check().identity().identify(asked.fields());
            user = identified;
            parts.decisions()
                    .decide(
                            new Decisions.Origin(http.request(), id(), bytes),
                            new Attributes(identified, access),
                            this);
        } catch (StatusException refused) {
            if (refused.status().code() < 500) {
                deny(refused.status(), parts.decisions().policy());
            } else {
                http.refuse(refused.status());
            }
        }
    }

    @Override
    public void failed(RuntimeException bug) {
        http.fail(bug);
    }

    @Override
    public void decided(Decision decision, PolicySet policy) {
        if (isLate()) {
            http.refuse(LATE);
            return;
        }
        switch (DecisionResponse.of(decision, parts.reasonPolicy().includesReasons(http.request()))) {
            case DecisionResponse.Failed failed -> http.refuse(failed.status());
            case DecisionResponse.Answered answered -> {
                ReviewStatus status = answered.status();
                if (status.allowed()) {
                    Map<String, String> fields =
                            parts.check().answer().values(Objects.requireNonNull(user), id(), policy.revision());
                    Grpc.answer(http, answer(status.reason(), policy).allowed(fields));
                } else {
                    deny(Status.of(StatusReason.FORBIDDEN, status.reason()), policy);
                }
            }
        }
    }

    private CheckMessages.Answer answer(String reason, PolicySet policy) {
        return new CheckMessages.Answer(reason, id(), policy.revision());
    }

    private void deny(Status status, PolicySet policy) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put(AnswerFields.REASON, AnswerFields.reason(status.message()));
        String challenge = parts.check().identity().challenge();
        if (status.reason() == StatusReason.UNAUTHORIZED && !challenge.isEmpty()) {
            fields.put("WWW-Authenticate", challenge);
        }
        Grpc.answer(http, answer(status.message(), policy).denied(status, fields));
    }
}
