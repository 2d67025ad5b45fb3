package io.plat.apiserver.filter;

import io.plat.review.status.StatusException;
import java.util.List;

/** The filters in the order they run. */
public final class FilterChain {
    private final List<Filter> filters;
    private final int firstWaiting;

    /** A chain of these, in this order. */
    public FilterChain(List<Filter> filters) {
        this.filters = List.copyOf(filters);
        int first = 0;
        while (first < this.filters.size() && !this.filters.get(first).waits()) {
            first++;
        }
        this.firstWaiting = first;
    }

    /** Whether one of the filters may wait. */
    public boolean waits() {
        return firstWaiting < filters.size();
    }

    /**
     * Runs the filters in front of the first that may wait.
     *
     * @throws StatusException if one of them does not let the request go on
     */
    public void admitAtOnce(Call call) throws StatusException {
        run(filters.subList(0, firstWaiting), call);
    }

    /**
     * Runs the rest.
     *
     * @throws StatusException if one of them does not let the request go on
     */
    public void admitAfterwards(Call call) throws StatusException {
        run(filters.subList(firstWaiting, filters.size()), call);
    }

    private static void run(List<Filter> filters, Call call) throws StatusException {
        for (Filter filter : filters) {
            filter.admit(call);
        }
    }
}
