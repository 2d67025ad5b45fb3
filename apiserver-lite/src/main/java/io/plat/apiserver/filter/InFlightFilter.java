package io.plat.apiserver.filter;

import io.plat.http.InFlightLimit;
import io.plat.review.UserInfo;
import io.plat.review.status.StatusException;
import java.util.Set;

/**
 * Bounds the requests underway, those that only read and those that change something apart ({@code --max-requests-inflight},
 * {@code --max-mutating-requests-inflight}). Beyond the bound the answer is 429 at once. A watch lasts by its nature and is not
 * counted; {@code system:masters} can always get in, to see what is wrong.
 */
public final class InFlightFilter implements Filter {
    private static final Set<String> READING = Set.of("get", "list", "watch", "head", "options");

    private final InFlightLimit reading;
    private final InFlightLimit mutating;
    private final Runnable onRefusal;

    /**
     * A filter with a limit for each kind.
     *
     * @param onRefusal told of each request that is refused
     */
    public InFlightFilter(InFlightLimit reading, InFlightLimit mutating, Runnable onRefusal) {
        this.reading = reading;
        this.mutating = mutating;
        this.onRefusal = onRefusal;
    }

    @Override
    public void admit(Call call) throws StatusException {
        String verb = call.info().access().verb();
        if (verb.equals("watch") || call.user().groups().contains(UserInfo.MASTERS)) {
            return;
        }
        InFlightLimit limit = READING.contains(verb) ? reading : mutating;
        if (!limit.tryEnter()) {
            onRefusal.run();
            throw new StatusException(InFlightLimit.REFUSED);
        }
        call.incoming().onCompletion(limit::leave);
    }
}
