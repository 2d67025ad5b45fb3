package io.plat.cli;

import java.util.List;

/** A command that prints in more formats than those that every command has. */
public interface FurtherFormats {
    /** The words for them after {@code -o}, in lower case. */
    List<String> furtherFormats();
}
