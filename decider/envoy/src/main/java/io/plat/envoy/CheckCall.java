package io.plat.envoy;

import com.google.protobuf.InvalidProtocolBufferException;
import io.plat.engine.Decision;
import io.plat.engine.policy.PolicySet;
import io.plat.fronts.Intake;
import io.plat.fronts.check.FrontProvider;
import io.plat.fronts.check.ProxiedRequest;
import io.plat.fronts.check.ProxyCheck;
import io.plat.review.UserInfo;
import io.plat.review.status.Status;
import io.plat.review.status.StatusException;
import io.plat.review.status.StatusReason;
import java.util.Map;
import org.eclipse.jetty.util.NanoTime;
import org.jspecify.annotations.Nullable;

/**
 * One call, from body to response. A response allows or denies the proxied request; without a decision the call fails, which a proxy with {@code
 * failure_mode_allow: false} treats as a denial.
 */
final class CheckCall extends ProxyCheck implements Intake.BodyHandler {
    private static final Status LATE = Status.of(StatusReason.TIMEOUT, "the deadline of the call has passed");

    private final FrontProvider.Parts parts;
    private @Nullable Long deadline;

    CheckCall(FrontProvider.Parts parts, Intake.Exchange http) {
        super(parts.decisions(), parts.check(), http);
        this.parts = parts;
    }

    @Override
    public void received(byte[] bytes, int count) {
        parts.decisions().run(count > Intake.AT_ONCE, http, () -> read(bytes, count));
    }

    private void read(byte[] bytes, int count) throws StatusException {
        try {
            deadline = Grpc.deadline(http.request());
            ProxiedRequest request = CheckMessages.read(Grpc.message(bytes, count));
            if (isLate()) {
                throw new StatusException(LATE);
            }
            check(request, count);
        } catch (InvalidProtocolBufferException malformed) {
            throw new StatusException(StatusReason.BAD_REQUEST, "the message is not a CheckRequest of an HTTP request");
        }
    }

    private boolean isLate() {
        return deadline != null && NanoTime.isBefore(deadline, NanoTime.now());
    }

    @Override
    protected void decided(UserInfo user, Decision decision, PolicySet policy) {
        if (isLate()) {
            http.refuse(LATE);
        } else {
            super.decided(user, decision, policy);
        }
    }

    @Override
    protected void allow(Map<String, String> fields, String reason, PolicySet policy) {
        Grpc.answer(http, answer(reason, policy).allowed(fields));
    }

    @Override
    protected void refuse(Status status, Map<String, String> fields, String reason, PolicySet policy) {
        if (status.code() < 500) {
            Grpc.answer(http, answer(reason, policy).denied(status, fields));
        } else {
            http.refuse(status);
        }
    }

    private CheckMessages.Answer answer(String reason, PolicySet policy) {
        return new CheckMessages.Answer(reason, http.decisionId(), policy.revision());
    }
}
