/** {@code plat review} and {@code plat whoami}: an unchanged review, and the caller's identity. */
@NullMarked
package io.plat.cli.review;

import org.jspecify.annotations.NullMarked;
