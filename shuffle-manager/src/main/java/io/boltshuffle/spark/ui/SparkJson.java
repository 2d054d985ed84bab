package io.boltshuffle.spark.ui;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.function.Supplier;
import org.apache.spark.SparkConf;
import org.apache.spark.ui.JettyUtils;
import org.apache.spark.ui.SparkUI;
import scala.Function1;

/**
 * Serves JSON from Spark's UI. It uses reflection because the handler's class differs between Spark versions, as does
 * what a page would have to return from {@code renderJson}.
 */
final class SparkJson {
    private static final int PARAMETERS = 4;
    private static final Method CREATE = Arrays.stream(JettyUtils.class.getMethods())
            .filter(method ->
                    method.getName().equals("createServletHandler") && method.getParameterCount() == PARAMETERS)
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("boltshuffle was not made for this Spark: no JSON in its UI"));

    private SparkJson() {}

    /**
     * Attaches a handler. It has to be attached before a page whose own JSON has the same path, because the first one
     * answers.
     */
    static void attach(SparkUI ui, String path, Supplier<String> json) {
        Function1<Object, String> answer = request -> json.get();
        Function1<String, String> text = body -> body;
        try {
            Object servlet = JettyUtils.ServletParams.class
                    .getConstructor(Function1.class, String.class, Function1.class)
                    .newInstance(answer, "application/json", text);
            SparkConf conf = ui.conf();
            Object handler = CREATE.invoke(null, path, servlet, conf, ui.basePath());
            SparkUI.class.getMethod("attachHandler", CREATE.getReturnType()).invoke(ui, handler);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("boltshuffle was not made for this Spark", e);
        }
    }
}
