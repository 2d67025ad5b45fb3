package io.plat.apiserver.filter;

import io.plat.apiserver.audit.Audit;
import io.plat.apiserver.audit.Audited;
import io.plat.review.status.StatusException;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Begins to record a request: by whom it was sent and for what, before anything is decided about it. The call carries what its further
 * events are made of, where the policy wants any.
 */
public final class AuditFilter implements Filter {
    private final Audit audit;
    private final ReceivedRequests received;

    /** A filter that records here. */
    public AuditFilter(Audit audit, InstantSource clock) {
        this.audit = audit;
        this.received = new ReceivedRequests(clock);
    }

    @Override
    public void admit(Call call) throws StatusException {
        @Nullable Audited audited = audit.begin(received.of(call, call.authenticated()));
        if (audited != null) {
            call.audited(audited);
            if (call.info().access().verb().equals("watch")) {
                audited.lasts();
            }
            call.incoming().onCompletion(audited::ended);
        }
    }

    @Override
    public boolean admitAtOnce(Call call) throws StatusException {
        if (audit.waits()) {
            return false;
        }
        admit(call);
        return true;
    }
}
