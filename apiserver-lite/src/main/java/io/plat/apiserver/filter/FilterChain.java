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
     * Runs the filters in front of the first that has to wait before this request goes on.
     *
     * @return whether that were all of them
     * @throws StatusException if one of them does not let the request go on
     */
    public boolean admitAtOnce(Call call) throws StatusException {
        while (call.passed() < filters.size()) {
            if (!filters.get(call.passed()).admitAtOnce(call)) {
                return false;
            }
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
