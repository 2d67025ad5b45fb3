package io.plat.process;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.SequencedMap;
import java.util.SequencedSet;

/**
 * Queue in which clients take turns, regardless of how many elements each of them has. Not thread-safe.
 *
 * @param <T> type of the elements; one that is already queued for a client is not added again
 */
public final class FairQueue<T> {
    /** The elements by client; the client that is next comes first. */
    private final SequencedMap<String, SequencedSet<T>> byClient = new LinkedHashMap<>();

    public void add(String client, T element) {
        byClient.computeIfAbsent(client, any -> new LinkedHashSet<>()).add(element);
    }

    public boolean isEmpty() {
        return byClient.isEmpty();
    }

    /**
     * Removes the first element of the client that is next.
     *
     * @throws NoSuchElementException if the queue is empty
     */
    public T remove() {
        Map.Entry<String, SequencedSet<T>> next = byClient.pollFirstEntry();
        if (next == null) {
            throw new NoSuchElementException("the queue is empty");
        }
        T element = next.getValue().removeFirst();
        if (!next.getValue().isEmpty()) {
            byClient.put(next.getKey(), next.getValue());
        }
        return element;
    }

    public void clear() {
        byClient.clear();
    }
}
