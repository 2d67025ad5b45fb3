package io.plat.apiserver.filter;

import io.plat.apiserver.metrics.InFlightRequests;
import io.plat.http.FairLimit;
import io.plat.review.AccessAttributes;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.Set;

/**
 * Limits concurrent requests, separately for read-only and mutating ones ({@code --max-requests-inflight}, {@code
 * --max-mutating-requests-inflight}), with fair shares per user. Excess requests receive 429 immediately. Watches are exempt; {@code
 * system:masters} is always admitted, for troubleshooting.
 */
public record InFlightFilter(FairLimit reading, FairLimit mutating, Runnable onRefusal, InFlightRequests inFlight)
        implements Filter {
    private static final Set<String> READING = Set.of("get", "list", "watch", "head", "options");

    /** Returns whether a request reads a pod's log, or follows decisions: like watches, these are long-running and have separate limits. */
    private static boolean isLong(AccessAttributes access) {
        return switch (access) {
            case ResourceAttributes resource ->
                resource.resource().equals("pods") && resource.subresource().equals("log");
            case NonResourceAttributes path -> path.path().equals("/decisions");
        };
    }

    @Override
    public void admit(Call call) throws StatusException {
        String verb = call.info().access().verb();
        if (verb.equals("watch") || isLong(call.info().access())) {
            return;
        }
        boolean reads = READING.contains(verb);
        if (!call.authenticated().groups().contains(UserInfo.MASTERS)) {
            enter(call, reads ? reading : mutating);
        }
        call.inProgress(reads ? inFlight.reading() : inFlight.mutating());
    }

    private void enter(Call call, FairLimit limit) throws StatusException {
        // Counted by authenticated user, so that impersonation does not increase the share.
        String client = call.client();
        if (!limit.tryAcquire(client)) {
            onRefusal.run();
            throw new StatusException(FairLimit.REFUSED);
        }
        call.incoming().onCompletion(() -> limit.release(client));
    }
}
