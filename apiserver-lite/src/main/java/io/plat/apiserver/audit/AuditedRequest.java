package io.plat.apiserver.audit;

import io.plat.review.AccessAttributes;
import io.plat.review.UserInfo;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request as it was received: the same in all its events.
 *
 * @param id the id that its answer carries
 * @param received when it was received
 * @param uri the target as sent
 * @param access what it asks for
 * @param user who asks; null where that could not be found out
 * @param sources the addresses that it came by, the peer's last
 * @param userAgent what the client calls itself, {@code ""} where it does not
 */
public record AuditedRequest(
        String id,
        Instant received,
        String uri,
        AccessAttributes access,
        @Nullable UserInfo user,
        List<String> sources,
        String userAgent) {
    public AuditedRequest {
        Objects.requireNonNull(id);
        Objects.requireNonNull(received);
        Objects.requireNonNull(uri);
        Objects.requireNonNull(access);
        Objects.requireNonNull(userAgent);
        sources = List.copyOf(sources);
    }
}
