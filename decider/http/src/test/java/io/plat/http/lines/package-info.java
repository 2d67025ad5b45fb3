/** Tests of logs of lines. */
@NullMarked
package io.plat.http.lines;

import org.jspecify.annotations.NullMarked;
