package io.plat.fronts.authzen;

import java.util.SortedSet;
import java.util.TreeSet;

/** The result of a search. */
final class SearchResult {
    /** The ids of the entities. */
    final SortedSet<String> ids = new TreeSet<>();

    /** The namespaces with a grant that is not limited to names. */
    final SortedSet<String> namespaces = new TreeSet<>();

    /** The groups all of whose members are allowed. */
    final SortedSet<String> groups = new TreeSet<>();

    /** Reasons for missing results; empty if it is complete. */
    final SortedSet<String> gaps = new TreeSet<>();

    /** True if a grant is not limited to names. */
    boolean unbounded;
}
