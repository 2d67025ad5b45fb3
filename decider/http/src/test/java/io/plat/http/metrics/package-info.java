@NullMarked
package io.plat.http.metrics;

import org.jspecify.annotations.NullMarked;
