package io.plat.apiserver.filter;

import io.plat.review.status.StatusException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Ordered chain of filters. */
public final class FilterChain {
    private final List<Filter> filters;
    private final @Nullable AuditFilter audit;

    /** Creates a chain without auditing. */
    public FilterChain(List<Filter> filters) {
        this(filters, null);
    }

    /** @param audit records refusals by the filters before it; null for no recording */
    public FilterChain(List<Filter> filters, @Nullable AuditFilter audit) {
        this.filters = List.copyOf(filters);
        this.audit = audit;
    }

    /**
     * Runs the filters up to the first that has to block.
     *
     * @return whether all filters have run
     * @throws StatusException if a filter rejects the request
     */
    public boolean admitWithoutBlocking(Call call) throws StatusException {
        try {
            while (call.passed() < filters.size()) {
                if (!filters.get(call.passed()).admitWithoutBlocking(call)) {
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
     * Runs the remaining filters, on a thread that may block.
     *
     * @throws StatusException if a filter rejects the request
     */
    public void admitRemaining(Call call) throws StatusException {
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
