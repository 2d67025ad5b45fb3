package io.plat.apiserver.filter;

import io.plat.apiserver.metrics.Underway;
import io.plat.http.FairLimit;
import io.plat.http.InFlightLimit;
import io.plat.review.NonResourceAttributes;
import io.plat.review.ResourceAttributes;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.Set;

/**
 * Bounds the requests underway, those that only read and those that change something apart ({@code --max-requests-inflight},
 * {@code --max-mutating-requests-inflight}), and shares them among users. Beyond the bound, or a user's share, the answer is 429 at once. A watch lasts by its nature and is not
 * counted; {@code system:masters} can always get in, to see what is wrong.
 */
public final class InFlightFilter implements Filter {
    private static final Set<String> READING = Set.of("get", "list", "watch", "head", "options");

    private final FairLimit reading;
    private final FairLimit mutating;
    private final Runnable onRefusal;
    private final Underway underway;

    /**
     * A filter with a limit for each kind.
     *
     * @param onRefusal told of each request that is refused
     * @param underway counts those that are not
     */
    public InFlightFilter(FairLimit reading, FairLimit mutating, Runnable onRefusal, Underway underway) {
        this.reading = reading;
        this.mutating = mutating;
        this.onRefusal = onRefusal;
        this.underway = underway;
    }

    /** A log lasts as a watch does, and has a bound of its own. */
    private static boolean readsLog(Call call) {
        return call.info().access() instanceof ResourceAttributes access
                && access.resource().equals("pods")
                && access.subresource().equals("log");
    }

    /** So does looking on at decisions, at a place that is bounded too. */
    private static boolean looksOn(Call call) {
        return call.info().access() instanceof NonResourceAttributes access
                && access.path().equals("/decisions");
    }

    @Override
    public void admit(Call call) throws StatusException {
        String verb = call.info().access().verb();
        if (verb.equals("watch") || readsLog(call) || looksOn(call)) {
            return;
        }
        boolean reads = READING.contains(verb);
        if (!call.user().groups().contains(UserInfo.MASTERS)) {
            enter(call, reads ? reading : mutating);
        }
        call.underway(reads ? underway.reading() : underway.mutating());
    }

    private void enter(Call call, FairLimit limit) throws StatusException {
        // By whose credential it is: whoever may impersonate has no more of a share for that.
        String client = call.client();
        if (!limit.tryEnter(client)) {
            onRefusal.run();
            throw new StatusException(InFlightLimit.REFUSED);
        }
        call.incoming().onCompletion(() -> limit.leave(client));
    }
}
