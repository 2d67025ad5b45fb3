package io.plat.apiserver.endpoint;

import io.plat.apiserver.filter.Call;
import io.plat.review.status.StatusException;

/**
 * Request bodies, read once their request was admitted.
 *
 * @param limit the largest body, in bytes
 */
public record Bodies(int limit) {
    /** The limit of existing servers: 3 MiB. */
    public static final Bodies DEFAULT = new Bodies(3 << 20);

    /**
     * The body as JSON, whichever format it was sent in.
     *
     * @throws StatusException 415 for a format that is not read, 413 where it is too large, 400 for malformed YAML
     */
    byte[] json(Call call) throws StatusException {
        return switch (Negotiation.bodyFormat(call)) {
            case JSON -> call.incoming().body(limit);
            case YAML -> YamlBody.toJson(call.incoming().body(limit), limit);
        };
    }
}
