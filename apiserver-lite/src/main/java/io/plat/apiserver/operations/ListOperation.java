package io.plat.apiserver.operations;

import io.plat.apiserver.memory.RequestMemory;
import io.plat.apiserver.operations.ContinueTokens.Token;
import io.plat.apiserver.options.ListOptions;
import io.plat.apiserver.selector.Selection;
import io.plat.apiserver.storage.Entry;
import io.plat.apiserver.storage.KeyRange;
import io.plat.apiserver.storage.Lookup;
import io.plat.apiserver.storage.ObjectStore;
import io.plat.apiserver.storage.Page;
import io.plat.apiserver.storage.Snapshot;
import io.plat.apiserver.storage.StorageException;
import io.plat.apiserver.stored.RequestStore;
import io.plat.apiserver.stored.ServedList;
import io.plat.apiserver.stored.ServedObject;
import io.plat.apiserver.type.ApiErrors;
import io.plat.apiserver.type.Target;
import io.plat.review.request.FieldTerm;
import io.plat.review.status.StatusException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Lists, complete or in chunks (specification, "Chunked lists"). The state is determined by {@code resourceVersion}, {@code
 * resourceVersionMatch}, {@code limit} and {@code continue} together, as in kube-apiserver:
 * <ul>
 * <li>none of them: the newest state;
 * <li>a version: that or any newer state, but with a limit exactly that one, so that caches can use every chunk;
 * <li>a version with a match: exactly that state, or a newer one; {@code 0} is any;
 * <li>a token: the state of the first chunk.
 * </ul>
 */
record ListOperation(ObjectStore store, ContinueTokens tokens) {
    /** Number of objects that are filtered together if there is a selector. */
    private static final int STRIDE = 512;

    /**
     * Start of a list.
     *
     * @param after path after which the list starts
     */
    private record Start(Snapshot snapshot, String after) {}

    ServedList list(Target target, ListOptions options) throws StatusException {
        // The options are checked between the syntax of the selectors and the names of fields.
        Selection.parse(target.type(), options.labelSelector(), "");
        var _ = FieldTerm.parse(options.fieldSelector());
        options.checkList();
        Selection selection = Selection.parse(target.type(), options.labelSelector(), options.fieldSelector());
        Start start = RequestStore.run(() ->
                options.continueToken().isEmpty() ? new Start(snapshot(options), "") : continued(target, options));
        return selection.all()
                ? listAll(target, selection.range(target), start, options.limit())
                : listSelected(target, selection, start, options.limit());
    }

    private ServedList listAll(Target target, KeyRange range, Start start, int limit) {
        Page page = start.snapshot().page(range, start.after(), limit);
        List<Entry> entries = page.entries();
        var items = new ArrayList<ServedObject>(entries.size());
        for (Entry entry : entries) {
            items.add(ServedObject.of(target.type(), entry));
        }
        return page.remaining() == 0
                ? last(target, start, items)
                : chunk(target, start, entries.getLast(), items).remaining(page.remaining());
    }

    /** Fills a chunk with selected objects; the number of remaining ones is unknown. */
    private ServedList listSelected(Target target, Selection selection, Start start, int limit) throws StatusException {
        KeyRange range = selection.range(target);
        var items = new ArrayList<ServedObject>();
        String after = start.after();
        while (true) {
            Page page = start.snapshot().page(range, after, limit == 0 ? 0 : STRIDE);
            long remaining = page.entries().size() + page.remaining();
            for (Entry entry : page.entries()) {
                remaining--;
                RequestMemory.current().compute(selection.cost(entry));
                if (selection.matches(entry)) {
                    items.add(ServedObject.of(target.type(), entry));
                    if (items.size() == limit && remaining > 0) {
                        return chunk(target, start, entry, items);
                    }
                }
            }
            if (page.remaining() == 0) {
                return last(target, start, items);
            }
            after = page.entries().getLast().key().path();
        }
    }

    private ServedList chunk(Target target, Start start, Entry end, List<ServedObject> items) {
        long revision = start.snapshot().revision();
        String token = tokens.issue(target, revision, end.key().path());
        return new ServedList(target.type(), revision, token, OptionalLong.empty(), items);
    }

    private static ServedList last(Target target, Start start, List<ServedObject> items) {
        return new ServedList(target.type(), start.snapshot().revision(), "", OptionalLong.empty(), items);
    }

    private Start continued(Target target, ListOptions options) throws StatusException, StorageException {
        String version = options.resourceVersion();
        if (!version.isEmpty() && !version.equals("0")) {
            throw ApiErrors.badRequest("specifying resource version is not allowed when using continue");
        }
        Token token = tokens.read(target, options.continueToken());
        if (!token.consistent()) {
            return new Start(store.latest(), token.after());
        }
        if (!tokens.expired(token) && store.at(token.revision()) instanceof Lookup.Found found) {
            return new Start(found.snapshot(), token.after());
        }
        throw ApiErrors.tokenExpired(tokens.issueInconsistent(target, token.after()));
    }

    private Snapshot snapshot(ListOptions options) throws StatusException, StorageException {
        String version = options.resourceVersion();
        if (version.isEmpty()) {
            return store.latest();
        }
        long revision;
        try {
            revision = Reader.revision(version);
        } catch (StatusException e) {
            throw ApiErrors.badRequest("invalid resource version: " + e.status().message());
        }
        boolean exact = switch (options.resourceVersionMatch()) {
            case ListOptions.EXACT -> true;
            case ListOptions.NOT_OLDER_THAN -> false;
            default -> options.limit() > 0 && revision > 0;
        };
        return switch (exact ? store.at(revision) : store.notBefore(revision)) {
            case Lookup.Found found -> found.snapshot();
            case Lookup.Gone gone -> throw ApiErrors.listExpired();
            case Lookup.Future future -> throw ApiErrors.tooLarge(revision, future.current());
        };
    }
}
