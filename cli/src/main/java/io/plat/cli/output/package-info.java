/** Output of commands: text, JSON and YAML, and colour for terminals. */
@NullMarked
package io.plat.cli.output;

import org.jspecify.annotations.NullMarked;
