package io.plat.apiserver.filter;

import io.plat.apiserver.audit.Audit;
import io.plat.review.status.StatusException;
import java.time.InstantSource;

/** Request info whose refusals are recorded: who tries what could be read in two ways is worth knowing. Nobody has looked yet who asks. */
public final class AuditedRequestInfo implements Filter {
    private final Filter requestInfo;
    private final Audit audit;
    private final ReceivedRequests received;

    /** Records the refusals of a filter. */
    public AuditedRequestInfo(Filter requestInfo, Audit audit, InstantSource clock) {
        this.requestInfo = requestInfo;
        this.audit = audit;
        this.received = new ReceivedRequests(clock);
    }

    @Override
    public void admit(Call call) throws StatusException {
        try {
            requestInfo.admit(call);
        } catch (StatusException refused) {
            audit.malformed(received.malformed(call), refused.status());
            throw refused;
        }
    }
}
