package io.plat.apiserver.filter;

import io.plat.review.status.StatusException;
import java.util.List;

/** The filters in the order they run. */
public final class FilterChain {
    private final List<Filter> filters;

    /** A chain of these, in this order. */
    public FilterChain(List<Filter> filters) {
        this.filters = List.copyOf(filters);
    }

    /**
     * Runs the filters in front of the first that may wait before this request goes on.
     *
     * @return whether that were all of them
     * @throws StatusException if one of them does not let the request go on
     */
    public boolean admitAtOnce(Call call) throws StatusException {
        while (call.passed() < filters.size()) {
            Filter next = filters.get(call.passed());
            if (next.waits(call)) {
                return false;
            }
            next.admit(call);
            call.pass();
        }
        return true;
    }

    /**
     * Runs the rest; on a thread that may wait.
     *
     * @throws StatusException if one of them does not let the request go on
     */
    public void admitAfterwards(Call call) throws StatusException {
        while (call.passed() < filters.size()) {
            filters.get(call.passed()).admit(call);
            call.pass();
        }
    }
}
