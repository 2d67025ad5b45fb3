package io.plat.cli.policy;

import io.plat.cli.CommandException;
import io.plat.cli.server.Answer;
import io.plat.cli.server.HttpsConnection;
import io.plat.cli.server.Refused;
import io.plat.engine.rbac.RbacKind;
import io.plat.engine.rbac.served.MalformedRolesException;
import io.plat.engine.rbac.served.ServedForm;
import io.plat.engine.rbac.served.ServedPage;
import io.plat.review.ApiGroups;
import io.plat.review.status.StatusCodec;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Lists the role objects of an API server, one type at a time, in chunks. */
public final class RoleLists {
    private static final String ROOT = "/apis/" + ApiGroups.RBAC + "/v1/";
    private static final int CHUNK = 500;

    /** A list that is still longer has no end. */
    private static final int MOST_CHUNKS = 10_000;

    private RoleLists() {}

    /**
     * Lists the objects of a type.
     *
     * @param visitor is shown each chunk, those before one that can't be had too
     * @return the server's refusal, or null where it listed all of them
     * @throws CommandException if the server can't be reached
     * @throws MalformedRolesException if what it answers is no list, or one without an end
     */
    public static @Nullable CommandException each(HttpsConnection server, RbacKind kind, Consumer<ServedPage> visitor)
            throws MalformedRolesException {
        String next = "";
        for (int chunk = 0; chunk < MOST_CHUNKS; chunk++) {
            String query = "?limit=" + CHUNK
                    + (next.isEmpty() ? "" : "&continue=" + URLEncoder.encode(next, StandardCharsets.UTF_8));
            String path = ROOT + kind.resource() + query;
            Answer answer = server.get(path, ServedForm.ACCEPTED_LISTS);
            if (!answer.succeeded()) {
                return refusal(server, path, answer);
            }
            ServedForm form = ServedForm.of(answer.contentType())
                    .orElseThrow(() ->
                            new MalformedRolesException("an answer has the type \"" + answer.contentType() + "\""));
            ServedPage page = form.page(kind, answer.body(), answer.body().length);
            visitor.accept(page);
            next = page.next();
            if (next.isEmpty()) {
                return null;
            }
        }
        throw new MalformedRolesException("the list has more than " + MOST_CHUNKS + " chunks; the rest was not read");
    }

    /** What a server refused in its binary form it is asked for again in the form that has words to show. */
    private static CommandException refusal(HttpsConnection server, String path, Answer refused) {
        Answer inWords = StatusCodec.decode(refused.body()).isPresent() ? refused : server.get(path);
        return Refused.by(server.server(), inWords.succeeded() ? refused : inWords);
    }
}
