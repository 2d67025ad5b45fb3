package io.plat.apiserver.filter;

import io.plat.apiserver.audit.AuditRecord;
import io.plat.engine.Authorizer;
import io.plat.engine.Decision;
import io.plat.review.Attributes;
import io.plat.review.status.StatusException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Authorizes requests (contract, decisions and their status codes). A denial or no opinion is a 403 with the reason; a failure to decide is
 * a 500, never an allow.
 *
 * @param listener notified of decisions; null for none
 */
public record AuthorizationFilter(
        Authorizer authorizer, @Nullable DecisionListener listener) implements Filter {
    public AuthorizationFilter(Authorizer authorizer) {
        this(authorizer, null);
    }

    @Override
    public void admit(Call call) throws StatusException {
        Attributes attributes = call.attributes();
        long begun = System.nanoTime();
        require(decided(call, () -> authorizer.authorize(attributes)), attributes);
        call.authorized(begun);
    }

    @Override
    public boolean admitWithoutBlocking(Call call) throws StatusException {
        Attributes attributes = call.attributes();
        long begun = System.nanoTime();
        @Nullable Decision fromMemory = decided(call, () -> authorizer.decideFromMemory(attributes));
        if (fromMemory == null) {
            return false;
        }
        require(fromMemory, attributes);
        call.authorized(begun);
        return true;
    }

    private <D extends @Nullable Decision> D decided(Call call, Supplier<D> deciding) {
        @Nullable DecisionListener listening = listener != null && listener.listens() ? listener : null;
        long started = listening == null ? 0 : System.nanoTime();
        @Nullable AuditRecord auditRecord = call.auditRecord();
        D decision = auditRecord == null ? deciding.get() : auditRecord.decided(deciding);
        if (listening != null && decision != null) {
            listening.decided(call, decision, System.nanoTime() - started);
        }
        return decision;
    }

    /**
     * Returns if the request is allowed.
     *
     * @throws StatusException 403 if it is denied, 500 if that could not be decided
     */
    public static void admit(Authorizer authorizer, Attributes attributes) throws StatusException {
        require(authorizer.authorize(attributes), attributes);
    }

    private static void require(Decision decision, Attributes attributes) throws StatusException {
        switch (decision) {
            case Decision.Allow _ -> {}
            case Decision.Deny deny -> throw new StatusException(Denials.forbidden(attributes, deny.reason()));
            case Decision.NoOpinion none -> throw new StatusException(Denials.forbidden(attributes, none.reason()));
            case Decision.Undecided undecided ->
                throw new StatusException(Denials.undecided(attributes, undecided.reason()));
        }
    }
}
