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
        return admit(call, false);
    }

    /**
     * Runs the remaining filters, on a thread that may block.
     *
     * @throws StatusException if a filter rejects the request
     */
    public void admitRemaining(Call call) throws StatusException {
        admit(call, true);
    }

    private boolean admit(Call call, boolean mayBlock) throws StatusException {
        try {
            while (call.passed() < filters.size()) {
                Filter next = filters.get(call.passed());
                if (mayBlock) {
                    next.admit(call);
                } else if (!next.admitWithoutBlocking(call)) {
                    return false;
                }
                call.pass();
            }
            return true;
        } catch (StatusException refused) {
            if (audit != null) {
                audit.refused(call, refused.status());
            }
            throw refused;
        }
    }
}
