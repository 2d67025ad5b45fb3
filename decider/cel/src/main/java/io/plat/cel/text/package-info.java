/** Formats of addresses and quantities in Kubernetes, and regular expressions with limits. */
@NullMarked
package io.plat.cel.text;

import org.jspecify.annotations.NullMarked;
