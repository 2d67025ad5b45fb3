package io.plat.apiserver.filter;

import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The filters in the order they run. */
public final class FilterChain {
    private final List<Filter> filters;
    private final @Nullable AuditFilter audit;

    /** A chain of these, in this order, of which nothing is recorded. */
    public FilterChain(List<Filter> filters) {
        this(filters, null);
    }

    /**
     * A chain of these, in this order.
     *
     * @param audit records the refusals by the filters in front of it; null for no recording
     */
    public FilterChain(List<Filter> filters, @Nullable AuditFilter audit) {
        this.filters = List.copyOf(filters);
        this.audit = audit;
    }

    /**
     * Runs the filters in front of the first that has to wait before this request goes on.
     *
     * @return whether that were all of them
     * @throws StatusException if one of them does not let the request go on
     */
    public boolean admitAtOnce(Call call) throws StatusException {
        try {
            while (call.passed() < filters.size()) {
                if (!filters.get(call.passed()).admitAtOnce(call)) {
                    return false;
                }
                call.pass();
            }
            return true;
        } catch (StatusException refused) {
            throw recorded(call, refused);
        }
    }

    /**
     * Runs the rest; on a thread that may wait.
     *
     * @throws StatusException if one of them does not let the request go on
     */
    public void admitAfterwards(Call call) throws StatusException {
        try {
            while (call.passed() < filters.size()) {
                filters.get(call.passed()).admit(call);
                call.pass();
            }
        } catch (StatusException refused) {
            throw recorded(call, refused);
        }
    }

    private StatusException recorded(Call call, StatusException refused) {
        if (audit != null) {
            audit.refused(call, refused.status());
        }
        return refused;
    }
}
