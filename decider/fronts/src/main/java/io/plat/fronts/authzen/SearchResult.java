package io.plat.fronts.authzen;

import java.util.SortedSet;
import java.util.TreeSet;

/** The result of a search. */
final class SearchResult {
    /** The ids of the entities. */
    final SortedSet<String> ids = new TreeSet<>();

    /** The namespaces in which a grant has no names. */
    final SortedSet<String> namespaces = new TreeSet<>();

    /** The groups all of whose members are allowed. */
    final SortedSet<String> groups = new TreeSet<>();

    /** Reasons for missing results; empty if there are none. */
    final SortedSet<String> gaps = new TreeSet<>();

    /** True if a grant is not limited to names. */
    boolean unbounded;
}
